//! The sources as syntax: which module each file is, the paths that its code names, and how long its functions are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A module's path from the crate's root: `["store", "git", "index"]`.
pub type Module = Vec<String>;

/// A path that code names, as far as it can be resolved without types.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// From the crate's root for this crate's own items, else with the name of the other crate first.
    pub path: Vec<String>,
    /// True for an item of this crate.
    pub own: bool,
    /// The line.
    pub line: usize,
}

/// A function and its size.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub lines: usize,
    pub parameters: usize,
    /// The lines of the parameters whose type leaves their meaning to their position; of a public function alone.
    pub unclear: Vec<usize>,
    pub docs: String,
}

/// A file of `src/`.
#[derive(Debug)]
pub struct Source {
    pub file: PathBuf,
    pub module: Module,
    /// Lines without the unit tests.
    pub lines: usize,
    /// The docs of the module.
    pub docs: String,
    pub named: BTreeSet<Named>,
    /// Macros by name, with their lines.
    pub macros: Vec<(String, usize)>,
    pub functions: Vec<Function>,
    /// How many methods each type is given here, those of traits left out.
    pub methods: BTreeMap<String, usize>,
    /// Lines whose code is there on some systems only.
    pub systems: Vec<usize>,
    /// Re-exports: the name here, and the path of the item.
    pub exports: Vec<(String, Vec<String>)>,
}

/// Every file of `src/` but the binaries', read once for all tests.
pub fn all() -> &'static [Source] {
    static ALL: LazyLock<Vec<Source>> = LazyLock::new(read_all);
    &ALL
}

fn read_all() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    super::sources(&root, &mut files);
    files.retain(|file| {
        let place = file.strip_prefix(&root).unwrap();
        !place.starts_with("bin") && place != Path::new("main.rs")
    });
    files.iter().map(|file| read(&root, file)).collect()
}

fn module_of(root: &Path, file: &Path) -> Module {
    let place = file.strip_prefix(root).unwrap().with_extension("");
    let mut module: Module = place.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

fn read(root: &Path, file: &Path) -> Source {
    let text = std::fs::read_to_string(file).unwrap();
    let syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let module = module_of(root, file);
    let children: BTreeSet<String> = syntax
        .items
        .iter()
        .filter_map(|item| match item {
            syn::Item::Mod(item) => Some(item.ident.to_string()),
            _ => None,
        })
        .collect();
    let tests = syntax.items.iter().filter(|item| is_test(item)).map(|item| item.span().start().line).min();
    let mut reader = Reader {
        module: module.clone(),
        children,
        named: BTreeSet::new(),
        macros: Vec::new(),
        functions: Vec::new(),
        methods: BTreeMap::new(),
        systems: Vec::new(),
        exports: Vec::new(),
    };
    for item in syntax.items.iter().filter(|item| !is_test(item)) {
        reader.visit_item(item);
    }
    let Reader { named, macros, functions, methods, systems, exports, .. } = reader;
    let lines = tests.map_or(text.lines().count(), |line| line - 1);
    let docs = docs(&syntax.attrs);
    Source { file: file.to_owned(), module, lines, docs, named, macros, functions, methods, systems, exports }
}

fn is_test(item: &syn::Item) -> bool {
    let attrs = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        _ => return false,
    };
    attrs.iter().any(|attr| {
        attr.path().is_ident("cfg")
            && attr.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test"))
    })
}

/// True when a condition asks for the system.
fn is_of_system(condition: &str) -> bool {
    let is_part = |c: char| !c.is_alphanumeric() && c != '_';
    condition.split(is_part).any(|word| matches!(word, "unix" | "windows" | "target_os" | "target_family"))
}

fn docs(attrs: &[syn::Attribute]) -> String {
    let text = |attr: &syn::Attribute| match &attr.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    attrs.iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

struct Reader {
    module: Module,
    children: BTreeSet<String>,
    named: BTreeSet<Named>,
    macros: Vec<(String, usize)>,
    functions: Vec<Function>,
    methods: BTreeMap<String, usize>,
    systems: Vec<usize>,
    exports: Vec<(String, Vec<String>)>,
}

impl Reader {
    /// The path from the crate's root, and true, where it is of this crate.
    fn resolve(&self, path: &[String]) -> (Vec<String>, bool) {
        let mut base = self.module.clone();
        match path[0].as_str() {
            "crate" => (path[1..].to_vec(), true),
            "self" => (base.into_iter().chain(path[1..].iter().cloned()).collect(), true),
            "super" => {
                let up = path.iter().take_while(|part| *part == "super").count();
                base.truncate(base.len().saturating_sub(up));
                (base.into_iter().chain(path[up..].iter().cloned()).collect(), true)
            }
            first if self.children.contains(first) => (base.into_iter().chain(path.iter().cloned()).collect(), true),
            _ => (path.to_vec(), false),
        }
    }

    fn add(&mut self, path: &[String], line: usize) {
        let (path, own) = self.resolve(path);
        self.named.insert(Named { path, own, line });
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &[String], exported: bool) {
        let with = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>();
        let line = tree.span().start().line;
        let (path, name) = match tree {
            syn::UseTree::Path(tree) => return self.tree(&tree.tree, &with(&tree.ident), exported),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.tree(tree, before, exported);
                }
                return;
            }
            syn::UseTree::Glob(_) => (before.to_vec(), None),
            syn::UseTree::Name(name) if name.ident == "self" => (before.to_vec(), before.last().cloned()),
            syn::UseTree::Name(name) => (with(&name.ident), Some(name.ident.to_string())),
            syn::UseTree::Rename(rename) => (with(&rename.ident), Some(rename.rename.to_string())),
        };
        let (resolved, own) = self.resolve(&path);
        match name {
            // A re-export is a name for the item, and no use of it.
            Some(name) if exported && own => self.exports.push((name, resolved)),
            _ => self.add(&path, line),
        }
    }

    fn function(&mut self, function: Signed<'_>) {
        let Signed { signature, vis, attrs, span } = function;
        let typed = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(typed),
            syn::FnArg::Receiver(_) => None,
        });
        let parameters: Vec<&syn::PatType> = typed.collect();
        let is_public = !matches!(vis, syn::Visibility::Inherited);
        let unclear = parameters.iter().filter(|parameter| is_public && is_unclear(&parameter.ty));
        let unclear = unclear.map(|parameter| parameter.span().start().line).collect();
        let lines = span.end().line + 1 - signature.span().start().line;
        let name = signature.ident.to_string();
        self.functions.push(Function { name, lines, parameters: parameters.len(), unclear, docs: docs(attrs) });
    }
}

/// A function, free or of a type.
struct Signed<'a> {
    signature: &'a syn::Signature,
    vis: &'a syn::Visibility,
    attrs: &'a [syn::Attribute],
    span: proc_macro2::Span,
}

/// True for a type that leaves the meaning of a value to its position: `bool`, and pairs of numbers.
fn is_unclear(kind: &syn::Type) -> bool {
    let is = |kind: &syn::Type, names: &[&str]| match kind {
        syn::Type::Path(path) => names.iter().any(|name| path.path.is_ident(name)),
        _ => false,
    };
    match kind {
        syn::Type::Tuple(tuple) => {
            tuple.elems.len() > 1 && tuple.elems.iter().all(|kind| is(kind, &["u32", "u64", "usize"]))
        }
        kind => is(kind, &["bool"]),
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let exported = !matches!(item.vis, syn::Visibility::Inherited);
        self.tree(&item.tree, &[], exported);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.add(&names, path.span().start().line);
        }
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, item: &'ast syn::Attribute) {
        let is_condition = item.path().is_ident("cfg") || item.path().is_ident("cfg_attr");
        if is_condition && item.meta.require_list().is_ok_and(|list| is_of_system(&list.tokens.to_string())) {
            self.systems.push(item.span().start().line);
        }
        visit::visit_attribute(self, item);
    }

    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        if item.path.is_ident("cfg") && is_of_system(&item.tokens.to_string()) {
            self.systems.push(item.path.span().start().line);
        }
        if let Some(last) = item.path.segments.last() {
            self.macros.push((last.ident.to_string(), item.path.span().start().line));
        }
        // Most macros take expressions; what else they take names nothing.
        let parser = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(arguments) = item.parse_body_with(parser) {
            arguments.iter().for_each(|argument| self.visit_expr(argument));
        }
        visit::visit_macro(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(Signed { signature: &item.sig, vis: &item.vis, attrs: &item.attrs, span: item.span() });
        visit::visit_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let (None, syn::Type::Path(kind)) = (&item.trait_, &*item.self_ty)
            && let Some(last) = kind.path.segments.last()
        {
            let methods = item.items.iter().filter(|item| matches!(item, syn::ImplItem::Fn(_))).count();
            *self.methods.entry(last.ident.to_string()).or_default() += methods;
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(Signed { signature: &item.sig, vis: &item.vis, attrs: &item.attrs, span: item.span() });
        visit::visit_impl_item_fn(self, item);
    }
}

/// Which file's module each file uses, re-exports followed to the file that has the item. A module and its children may use
/// each other, and are left out.
pub fn uses(sources: &[&Source]) -> BTreeMap<Module, BTreeMap<Module, usize>> {
    let modules: BTreeSet<&Module> = sources.iter().map(|source| &source.module).collect();
    let exports: BTreeMap<Module, &Vec<String>> = sources
        .iter()
        .flat_map(|source| {
            let at = |name: &String| source.module.iter().cloned().chain([name.clone()]).collect();
            source.exports.iter().map(move |(name, path)| (at(name), path))
        })
        .collect();
    let follow = |path: &[String]| {
        let mut path = path.to_vec();
        for _ in 0..5 {
            let exported = (1..=path.len()).rev().find_map(|n| {
                let item = exports.get(&path[..n]).filter(|_| !modules.contains(&path[..n].to_vec()))?;
                Some([item.as_slice(), &path[n..]].concat())
            });
            match exported {
                Some(real) => path = real,
                None => break,
            }
        }
        (0..=path.len()).rev().find_map(|n| modules.get(&path[..n].to_vec()).copied())
    };
    let is_family = |a: &[String], b: &[String]| a.starts_with(b) || b.starts_with(a);
    let of = |source: &Source| {
        let named = source.named.iter().filter(|named| named.own);
        let used = named.filter_map(|named| Some((follow(&named.path)?.clone(), named.line)));
        (source.module.clone(), used.filter(|(used, _)| !is_family(used, &source.module)).collect())
    };
    sources.iter().copied().map(of).collect()
}

/// The groups of modules that use each other in a circle.
pub fn cycles(uses: &BTreeMap<Module, BTreeMap<Module, usize>>) -> Vec<BTreeSet<Module>> {
    let reach = |from: &Module| {
        let (mut found, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = open.pop() {
            for next in uses.get(&module).into_iter().flat_map(BTreeMap::keys) {
                if found.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        found
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> = uses.keys().map(|module| (module, reach(module))).collect();
    let circle = |module: &Module| -> BTreeSet<Module> {
        let back = |other: &&Module| reached.get(*other).is_some_and(|from| from.contains(module));
        reached[module].iter().filter(back).cloned().collect()
    };
    let circles: BTreeSet<BTreeSet<Module>> = uses.keys().map(circle).filter(|circle| circle.len() > 1).collect();
    circles.into_iter().collect()
}
