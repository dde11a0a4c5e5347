//! The table of help texts. The order is that of the commands; `every_command_and_argument_has_a_chinese_text` keeps it
//! complete.

use super::Page;

/// Every command's page.
pub(super) const PAGES: &[Page] = &[
    Page {
        path: "",
        about: "和一组智能体一起写中文长篇网文；每个定稿章节就是一次 git 提交",
        args: &[
            ("directory", "在 DIR 里的书上工作"),
            ("json", "输出 JSON 而不是文字"),
            ("color", "什么时候用颜色"),
            ("lang", "界面语言 [默认: 跟随系统]"),
            ("quiet", "只输出结果和错误"),
            ("verbose", "多说一些：-v 列出每次调用，-vv 连提示词一起"),
            ("no_input", "从不提问；缺少答案时报错，并说明该用哪个选项"),
            ("no_pager", "长输出不分页"),
        ],
        examples: &[
            ("novel demo", "离线写一本小书，随便看看", "write a small book offline and look around"),
            ("novel init 铜镜行 --genre 玄幻", "新建一本书", "make a book"),
            ("novel continue 3", "写接下来的三章", "write the next three chapters"),
            ("novel status", "写到哪了，下一步做什么", "where the book stands and what to type next"),
        ],
    },
    Page {
        path: "init",
        about: "新建一本书，它就是一个 git 仓库",
        args: &[
            ("dir", "书的文件夹；没有就新建"),
            ("title", "书名 [默认: 文件夹名]"),
            ("genre", "题材，用你自己的话"),
            ("protagonist", "主角是谁，一句话"),
            ("conflict", "核心冲突，一句话"),
            ("samples", "你自己的文字样本，照你的文风写（可多个）"),
            ("reference_author", "样本不是你写的时候，注明是谁的"),
            ("style", "从哪种内置文风开始"),
            ("outline", "第一卷大纲：Markdown，每章一个 `## ` 小节（写法见下）"),
            ("from_json", "从一个 JSON 文件读入全部内容；`-` 表示标准输入"),
            ("words", "每章字数，写作 最少-最多"),
            ("budget", "分析样本的花费到这个数之前停下"),
            ("offline", "这本书用内置的离线写手：不联网、不要密钥、不花钱"),
        ],
        examples: &[
            (
                "novel init 铜镜行 --genre 玄幻 --protagonist 守墓少年",
                "用几句话开一本书",
                "begin a book from a few words",
            ),
            (
                "novel init mybook --samples ch1.md ch2.md",
                "照自己的旧作定文风",
                "take the style from your earlier chapters",
            ),
            ("novel init mybook --outline vol1.md --words 2500-3500", "自带第一卷大纲", "bring your own outline"),
            ("novel init try --offline", "不用密钥先试试", "try it without a key"),
        ],
    },
    Page {
        path: "start",
        about: "看书在哪一步，选接着做什么：起步、规划、写作、回顾",
        args: &[
            ("answer", "回答正在等的问题，或选一项要做的事"),
            ("yes", "每个问题都取推荐的答案，直到下一卷规划好；只有这样才不先问就花钱"),
            ("chapters", "一卷多少章 [默认: 30；最后一卷按收尾所需]"),
            ("wish", "想要什么样的一卷，用你自己的话"),
            ("title", "新书的书名 [默认: 文件夹的名字]"),
            ("samples", "你自己的样稿：照它们的文风写（可写多个）"),
            ("reference_author", "样稿是哪位作者的，如果不是你自己的"),
            ("research", "收进 research/ 的资料（可写多个），与答案 `research` 同用"),
            ("style", "内置文风：新书用，或与答案 `style` 同用"),
            ("genre", "新书的题材，或与答案 `subject` 同用换一个"),
            ("protagonist", "新书的主角，或与答案 `subject` 同用换一个"),
            ("conflict", "新书的核心冲突，或与答案 `subject` 同用换一个"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            (
                "novel start",
                "看书在哪一步，选接着做什么；空文件夹里就建一本",
                "see where the book is and choose what comes next; in an empty folder, make one",
            ),
            (
                "novel start --answer found --style suspense",
                "定下文风，搭世界，试写三章",
                "choose a style, make the world, try three chapters",
            ),
            ("novel start --answer write-5", "写五章", "write five chapters"),
            ("novel start --yes --chapters 12", "一路取推荐的答案", "take every recommended answer"),
        ],
    },
    Page {
        path: "world",
        about: "搭建世界，或往里添东西",
        args: &[],
        examples: &[
            ("novel world update", "给新书搭第一批规则和文档", "the first rules and pages of a new book"),
            ("novel world update '补一条关于船票的规则'", "按你的话往世界里添", "add what you say to the world"),
            ("novel world theme", "把主题和核心冲突写进 brief.md", "write theme and conflict into brief.md"),
        ],
    },
    Page {
        path: "world update",
        about: "让世界设定写规则和文档；不写要求就是新书的第一批",
        args: &[
            ("wish", "想要什么，用你自己的话"),
            ("force", "已有的规则不要，从头再写"),
            ("yes", "规则的改动直接批准，不再等"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel world update", "新书的第一批规则和文档", "the first rules and pages of a new book"),
            ("novel world update '渡口归谁管，过河要付什么'", "补一块设定", "add a piece of the world"),
        ],
    },
    Page {
        path: "world theme",
        about: "让情节规划把主题和核心冲突写进纲领",
        args: &[
            ("force", "纲领里已有的话不要，从头再写"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel world theme", "定下这本书在问什么", "settle what the book is about"),
            ("novel world theme --offline", "用离线写手试试", "try it with the offline writer"),
        ],
    },
    Page {
        path: "character",
        about: "新增、修改人物，让人物退场",
        args: &[],
        examples: &[
            ("novel character first '沈渡，不会水的摆渡人'", "新书的主角和配角", "the first people of a new book"),
            ("novel character add '一个专收假票的掌柜'", "添一个人物", "make a new character"),
            ("novel character retire a-qi", "让一个人物退场", "let a character leave the story"),
            ("novel character list", "看有谁", "see who there is"),
        ],
    },
    Page {
        path: "character first",
        about: "给新书写主角和一两个配角",
        args: &[
            ("protagonist", "主角是谁，用你自己的话"),
            ("force", "同名的人从头再写"),
            ("yes", "人物契约的改动直接批准，不再等"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel character first '沈渡，不会水的摆渡人'", "从一句话写起", "begin from a sentence"),
            ("novel character first --offline", "让离线写手起个名字", "let the offline writer find one"),
        ],
    },
    Page {
        path: "character add",
        about: "新增一个人物",
        args: &[
            ("wish", "要一个什么样的人，用你自己的话"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel character add '一个专收假票的掌柜'", "添一个人物", "make a new character"),
            ("novel character add '罗守拙，旧账房先生' --budget 1usd", "花费封顶", "with a limit on what it costs"),
        ],
    },
    Page {
        path: "character update",
        about: "修改一个人物",
        args: &[
            ("id", "人物的 id，见 characters/active/"),
            ("wish", "要改什么，用你自己的话"),
            ("yes", "人物契约的改动直接批准，不再等"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel character update shen-du '他学会了游水'", "改一个人物", "change a character"),
            (
                "novel character update a-qi '他不再怕水' --model deepseek:deepseek-flash",
                "换个模型来改",
                "let another model do it",
            ),
        ],
    },
    Page {
        path: "character retire",
        about: "让人物退场；还有什么用得着他就不行",
        args: &[("id", "人物的 id，见 characters/active/"), ("reason", "为什么，记进历史")],
        examples: &[
            ("novel character retire a-qi --reason 上了夜船", "让一个人物退场", "let a character leave the story"),
            (
                "novel character retire a-qi --json",
                "给程序看，还有什么用得着他",
                "what still needs the person, for programs",
            ),
        ],
    },
    Page {
        path: "character list",
        about: "列出所有人物：在场的在前，退场的在后",
        args: &[],
        examples: &[
            ("novel character list", "看有谁，最近在哪一章出场", "who there is, and who was last seen where"),
            ("novel character list --json", "给程序看的", "for programs"),
        ],
    },
    Page {
        path: "storyline",
        about: "查看、添加故事线，让它进行、休眠或了结",
        args: &[],
        examples: &[
            ("novel storyline", "有哪些线，各走到哪里", "which lines there are and where each stands"),
            ("novel storyline add '城门背后的人'", "让情节规划添一条线", "let the plot architect add one"),
            ("novel storyline pause sea-plan", "让一条线休眠", "let a line rest"),
        ],
    },
    Page {
        path: "storyline list",
        about: "列出故事线，各走到哪里",
        args: &[],
        examples: &[
            ("novel storyline list", "有哪些线，各走到哪里", "which lines there are and where each stands"),
            ("novel storyline list --json", "给程序看的", "for programs"),
        ],
    },
    Page {
        path: "storyline add",
        about: "添一条故事线：由情节规划来写，或用 --name 自己写",
        args: &[
            ("wish", "想要什么，用你自己的话；由情节规划写成一条线"),
            ("name", "名字；写了就不问谁"),
            ("id", "id [默认: 由名字来]"),
            ("kind", "哪一种线：mystery、conspiracy、character_arc，或你自己的说法"),
            ("reach", "跨多远"),
            ("about", "讲什么"),
            ("pov", "从谁的眼睛看（可重复）"),
            ("active", "马上进行；不写就是还没开始"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            (
                "novel storyline add '城门背后的人，牵出十年前的案子'",
                "让情节规划添一条线",
                "let the plot architect add one",
            ),
            (
                "novel storyline add --name 夜渡 --pov 阿七 --active",
                "自己写，马上进行",
                "describe it yourself and let it run",
            ),
        ],
    },
    Page {
        path: "storyline pause",
        about: "让故事线休眠；还有排好的章就不行",
        args: &[("id", "故事线的 id")],
        examples: &[
            ("novel storyline pause sea-plan", "让一条线休眠", "let a line rest"),
            (
                "novel storyline pause sea-plan --json",
                "给程序看，还有什么用得着它",
                "what still needs it, for programs",
            ),
        ],
    },
    Page {
        path: "storyline resume",
        about: "让故事线进行",
        args: &[("id", "故事线的 id")],
        examples: &[
            ("novel storyline resume sea-plan", "休眠的线接着走", "let a resting line go on"),
            ("novel storyline resume night-ferry", "还没开始的线走起来", "let a planned line begin"),
        ],
    },
    Page {
        path: "storyline end",
        about: "了结故事线；还有欠着的就不行",
        args: &[("id", "故事线的 id")],
        examples: &[
            ("novel storyline end sea-plan", "这条线讲完了", "this line is told to its end"),
            ("novel storyline end sea-plan --json", "给程序看，还欠着什么", "what is still owed, for programs"),
        ],
    },
    Page {
        path: "plan",
        about: "规划一卷：起草、查看、修改、批准",
        args: &[],
        examples: &[
            ("novel plan make --chapters 30", "规划下一卷", "plan the next volume"),
            ("novel plan", "看在审的计划", "look at the plan that waits for you"),
            ("novel plan approve", "批准这份计划", "approve the plan"),
        ],
    },
    Page {
        path: "plan make",
        about: "规划下一卷；上次中断了就接着来",
        args: &[
            ("chapters", "这一卷多少章 [默认: 30；最后一卷按收尾所需]"),
            ("wish", "想要什么样的一卷，用你自己的话"),
            ("closing", "全书到这一卷为止：还开着的都在这一卷收"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            (
                "novel plan make --chapters 12 --wish '让阿七先背叛一次'",
                "按你的要求规划",
                "plan it the way you want it",
            ),
            ("novel plan make", "接着上次没规划完的", "go on with what was interrupted"),
            ("novel plan make --closing", "规划全书最后一卷", "plan the volume that ends the book"),
        ],
    },
    Page {
        path: "plan fill",
        about: "请规划师补上大纲里空着的字段，你写下的不动",
        args: &[
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel plan fill", "补上缺的字段，等你批准", "fill in what is missing and wait for your approval"),
            ("novel plan fill --offline", "不用密钥先试试", "try it without a key"),
        ],
    },
    Page {
        path: "plan show",
        about: "查看在审的计划",
        args: &[],
        examples: &[
            ("novel plan show --json", "给程序看的", "for programs"),
            ("novel plan show", "看在审的计划", "look at the plan that waits for you"),
        ],
    },
    Page {
        path: "plan edit",
        about: "把你在 staging/ 里改的收进来，改过的章重新派生契约",
        args: &[],
        examples: &[
            ("novel plan edit", "改完 outline.md 以后", "after changing outline.md"),
            ("novel plan edit --json", "给程序看的", "for programs"),
        ],
    },
    Page {
        path: "plan approve",
        about: "批准计划，放进书里",
        args: &[],
        examples: &[
            ("novel plan approve", "批准这份计划", "approve the plan"),
            ("novel plan approve --json", "给程序看的", "for programs"),
        ],
    },
    Page {
        path: "plan reject",
        about: "放弃这份计划；它仍然找得回来",
        args: &[],
        examples: &[
            ("novel plan reject", "重新规划", "put it aside to plan again"),
            ("novel plan reject -q", "少说几句", "with fewer words"),
        ],
    },
    Page {
        path: "plan resize",
        about: "换个章数",
        args: &[
            ("chapters", "多少章"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel plan resize 40", "改成四十章", "make it forty chapters"),
            ("novel plan resize 12 --offline", "用离线写手补上多出来的章", "let the offline writer plan what is added"),
        ],
    },
    Page {
        path: "impact",
        about: "世界、人物、计划改了以后，牵连到哪些章，并让它们跟上",
        args: &[
            ("since", "和哪一章或哪次提交比 [默认: 上次批准的计划]"),
            ("regenerate", "让规划把牵连到的、还没写的都改得跟上"),
            ("yes", "人物契约的改动直接批准，不再等"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            (
                "novel impact",
                "改完 world/rules.json 以后，看牵连到哪里",
                "after changing world/rules.json: what hangs on it",
            ),
            (
                "novel impact --regenerate",
                "让契约和还没写的章跟上",
                "bring contracts and chapters that are not written up to date",
            ),
            ("novel impact --since ch-012 --json", "自第 12 章以来，给程序看", "since chapter 12, for programs"),
        ],
    },
    Page {
        path: "metrics",
        about: "这本书自己的成绩：每项指标多少，目标多少，达没达到",
        args: &[("volume", "只看这一卷")],
        examples: &[
            ("novel metrics", "全书的指标", "the figures of the whole book"),
            ("novel metrics --volume 2 --json", "第二卷的，给程序看", "those of volume 2, for programs"),
        ],
    },
    Page {
        path: "style",
        about: "查看文风，换一种，或从文字里学一种",
        args: &[],
        examples: &[
            ("novel style", "现在的文风，从哪里来", "the style as it is, and where it comes from"),
            ("novel style use suspense", "换成一种内置文风", "take a built-in style"),
            ("novel style from ch1.md ch2.md", "从自己的旧作学", "learn it from your earlier chapters"),
            ("novel style extract 1-3 --mine", "从写成的章节学", "learn it from chapters of the book"),
        ],
    },
    Page {
        path: "style show",
        about: "查看现在的文风，从哪里来",
        args: &[],
        examples: &[
            ("novel style show", "现在的文风，从哪里来", "the style as it is, and where it comes from"),
            ("novel style show --json", "给程序看的", "for programs"),
        ],
    },
    Page {
        path: "style use",
        about: "换成一种内置文风",
        args: &[("preset", "哪一种")],
        examples: &[
            ("novel style use suspense", "换成一种内置文风", "take a built-in style"),
            ("novel style use light --json", "给程序看的", "for programs"),
        ],
    },
    Page {
        path: "style from",
        about: "从文字样本学文风：你自己的，或要学的作者的",
        args: &[
            ("files", "样本，UTF-8 编码的纯文本"),
            ("reference", "样本不是你写的时候，注明是谁的"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel style from ch1.md ch2.md", "从自己的旧作学", "learn it from your earlier chapters"),
            (
                "novel style from a.txt --reference 某人 --budget 1usd",
                "学另一位作者，花费封顶",
                "after another author, with a limit on what it costs",
            ),
        ],
    },
    Page {
        path: "style extract",
        about: "从写成的章节学文风",
        args: &[
            ("chapters", "哪些章：1-3 或 ch-3 [默认: 最近三章]"),
            ("mine", "这些章是你自己写的，不是机器写的"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel style extract", "从最近三章学", "from the last three chapters"),
            (
                "novel style extract 1-3 --mine",
                "前三章是自己写的，照着来",
                "the first three are your own: go on like them",
            ),
        ],
    },
    Page {
        path: "continue",
        about: "写接下来的章节，每章一次提交",
        args: &[
            ("count", "写几章 [默认: 1]"),
            ("to", "写到这一章为止（含）"),
            ("volume", "写到本卷结束"),
            ("budget", "本次运行花费不超过这个数"),
            ("offline", "用内置的离线写手：不联网、不要密钥、不花钱"),
            ("model", "常用模型"),
            ("revise_model", "修订用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
            ("scenes", "一场一场地写；已经动笔的稿子照原来的写法"),
            ("no_scenes", "每章一次写完"),
            ("stream", "边写边显示正文"),
            ("dry_run", "只说会问什么、大约花多少；不联网、不落笔"),
        ],
        examples: &[
            ("novel continue", "写下一章", "write the next chapter"),
            (
                "novel continue --scenes",
                "先分场，再一场一场地写",
                "plan the chapter's scenes, then write one after the other",
            ),
            (
                "novel continue 5 --budget 3usd",
                "写五章，花费到三美元就停",
                "write five chapters, stop before three dollars",
            ),
            (
                "novel continue --to ch-50 --json",
                "写到第 50 章，每章一行 JSON",
                "write up to chapter 50, one JSON line a chapter",
            ),
        ],
    },
    Page {
        path: "write",
        about: "写指定的章节；已有的不动，加 --force 才重写",
        args: &[
            ("chapters", "哪几章: `5-9,12`"),
            ("force", "书里已有的也重写，每章一次提交"),
            ("wish", "重写要写成什么样，用你自己的话"),
            ("keep_going", "有一章写不成就先记下，接着写别的"),
            ("dry_run", "只说会做什么；不联网、不落笔"),
            ("budget", "本次运行花费不超过这个数"),
            ("offline", "用内置的离线写手：不联网、不要密钥、不花钱"),
            ("model", "常用模型"),
            ("revise_model", "修订用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
            ("scenes", "一场一场地写；已经动笔的稿子照原来的写法"),
            ("no_scenes", "每章一次写完"),
            ("stream", "边写边显示正文"),
        ],
        examples: &[
            ("novel write 5-9,12", "缺的补上，有的不动", "write what is missing, keep what is there"),
            (
                "novel write 5 --force --wish '让对手先开口'",
                "第 5 章重写一遍，并说出后面哪些章建立在它上面",
                "write chapter 5 again, and say which later chapters rest on it",
            ),
            ("novel write 5-9 --force --keep-going", "一章不成接着写下一章", "go on after a chapter that fails"),
            ("novel write 5-9 --dry-run", "先看会做什么", "see first what would be done"),
        ],
    },
    Page {
        path: "decide",
        about: "查看待决事项，或作出决定",
        args: &[
            ("decision", "怎么办；不写就显示问题"),
            ("chapter", "指明是哪一章，以免答错对象"),
            ("style", "换成哪种内置文风，与答案 `style` 同用"),
            ("genre", "换成什么题材，与答案 `subject` 同用"),
            ("protagonist", "换成什么主角，与答案 `subject` 同用"),
            ("conflict", "换成什么核心冲突，与答案 `subject` 同用"),
        ],
        examples: &[
            ("novel decide", "看看在等什么", "see what is waited for"),
            ("novel decide revise", "交给强模型修订", "let the strong model revise it"),
            ("novel decide accept --chapter 48", "收下第 48 章", "take chapter 48 as it is"),
            ("novel decide wrap-up", "再写一卷就收尾", "one more volume, and the book ends"),
        ],
    },
    Page {
        path: "review",
        about: "看一卷的回顾；写完了还没有回顾就做一份",
        args: &[
            ("volume", "哪一卷 [默认: 书现在所在的一卷]"),
            ("force", "重新回顾；旧的留在历史里"),
            ("budget", "花费到这个数之前停下"),
            ("offline", "用内置的离线写手规划：不联网、不要密钥、不花钱"),
            ("model", "规划用的模型"),
            ("provider", "用哪家的模型（见 `novel config providers`）"),
        ],
        examples: &[
            ("novel review", "这一卷写得怎样，下一步怎么走", "what became of the volume, and how to go on"),
            ("novel review 1 --json", "第一卷的回顾，给程序看", "the first volume's review, for programs"),
            ("novel review --force", "重新回顾一遍", "review it once more"),
        ],
    },
    Page {
        path: "status",
        about: "写到哪了，下一步该输入什么",
        args: &[],
        examples: &[
            ("novel status", "看当前进度", "see where the book stands"),
            ("novel status --json", "给程序看的完整状态", "everything, for programs"),
        ],
    },
    Page {
        path: "log",
        about: "列出这本书经历的事，新的在前",
        args: &[("chapters", "只看这些章：40-48 或 ch-48"), ("number", "最多几条"), ("kind", "只看这一类（可重复）")],
        examples: &[
            ("novel log -n 10", "最近十件事", "the last ten"),
            ("novel log 40-48", "第 40 到 48 章", "chapters 40 to 48"),
            ("novel log --kind rollback --kind undo", "只看回退和撤销", "only rollbacks and undos"),
        ],
    },
    Page {
        path: "show",
        about: "打印一章，或与它有关的内容",
        args: &[
            ("rev", "哪一章，或哪个提交"),
            ("summary", "它的摘要"),
            ("evaluation", "评审报告"),
            ("calls", "对模型的每次请求和回复"),
            ("delta", "它改变了哪些状态"),
            ("log", "每个阶段的耗时和花费"),
            ("stage", "草稿在这个阶段之后的样子"),
        ],
        examples: &[
            ("novel show ch-48", "读第 48 章", "read chapter 48"),
            ("novel show 48 --evaluation", "评审说了什么", "what the judge said"),
            ("novel show 48 > ch48.md", "存成文件", "save it to a file"),
            (
                "novel show draft/vol-02 --calls",
                "规划这一卷时问了什么、答了什么",
                "what was asked and answered while the volume is planned",
            ),
        ],
    },
    Page {
        path: "diff",
        about: "逐句逐字比较两个版本",
        args: &[
            ("a", "一章或一个提交；只写它时，与它的上一版或前一章比较"),
            ("b", "与什么比较"),
            ("stage", "草稿的两个阶段，写作 从..到"),
            ("words", "在句子里标出改动的字词（默认）"),
            ("sentences", "整句显示，旧句在上，新句在下"),
            ("files", "只列出不同的文件"),
        ],
        examples: &[
            ("novel diff ch-45", "第 45 章上次改了什么", "what changed last in chapter 45"),
            ("novel diff ch-48 --stage draft..refined", "润色改了哪些字", "what the refiner changed"),
            ("novel diff ch-44 ch-48 --files", "这几章之间动过哪些文件", "which files these chapters touched"),
        ],
    },
    Page {
        path: "context",
        about: "显示给某个智能体的完整提示词，以及它的构成",
        args: &[
            ("chapter", "哪一章"),
            ("agent", "哪个智能体"),
            ("prompt", "只要提示词，与发送的一字不差"),
            ("breakdown", "只要构成"),
        ],
        examples: &[
            ("novel context 48", "写第 48 章时写手看到什么", "what the writer is told for chapter 48"),
            (
                "novel context 48 --agent judge --breakdown",
                "评审的提示词由哪些部分组成",
                "what the judge's prompt is made of",
            ),
            ("novel context 48 --prompt > prompt.txt", "存下提示词", "save the prompt"),
        ],
    },
    Page {
        path: "cost",
        about: "合计调用花费",
        args: &[("by", "按什么分行")],
        examples: &[
            ("novel cost", "每章多少", "by chapter"),
            ("novel cost --by model", "每个模型多少", "by model"),
            ("novel cost --by stage --json", "按阶段，给程序看", "by stage, for programs"),
        ],
    },
    Page {
        path: "rollback",
        about: "把书退回某一章、规划的某一步或任一提交，或把稿子退回某一场；什么都不会丢",
        args: &[
            ("target", "保留到哪里：章、卷、在写的这一章的一场、规划的一步（world、plan vol-02），或一个提交"),
            ("exact", "连你自己的输入和计划也一起退回"),
            ("yes", "不再询问"),
            ("dry_run", "只说哪些会离开，哪些会留下"),
        ],
        examples: &[
            ("novel rollback ch-45 --dry-run", "先看看会怎样", "see first what would happen"),
            ("novel rollback ch-45", "退回第 45 章", "go back to chapter 45"),
            (
                "novel rollback plan vol-02",
                "退回第二卷计划刚定下的时候",
                "go back to when the plan of volume 2 was approved",
            ),
            (
                "novel rollback ch-48/scene-2",
                "在写的第 48 章退回第二场末",
                "take chapter 48, which is being written, back to the end of scene 2",
            ),
        ],
    },
    Page {
        path: "undo",
        about: "用一次新的提交撤销最近的几步",
        args: &[("count", "几步")],
        examples: &[
            ("novel undo", "撤销上一步", "take back the last step"),
            ("novel undo 3", "撤销三步", "take back three steps"),
        ],
    },
    Page {
        path: "redo",
        about: "把撤销的再做回来",
        args: &[("count", "几步")],
        examples: &[
            ("novel redo", "恢复上一次撤销", "do again what the last undo took back"),
            ("novel redo 3", "恢复三步", "do three steps again"),
        ],
    },
    Page {
        path: "doctor",
        about: "检查这本书有没有问题",
        args: &[
            ("repair", "从历史中修复能修的；什么都不会丢"),
            ("remove", "确认手删的章不再要了"),
            ("yes", "修复前不再询问"),
        ],
        examples: &[("novel doctor", "检查", "look"), ("novel doctor --repair", "检查并修复", "look and repair")],
    },
    Page {
        path: "config",
        about: "查看和修改你自己的设置",
        args: &[("show_origin", "同时说明每个值从哪里来")],
        examples: &[
            ("novel config", "全部设置", "all settings"),
            ("novel config --show-origin", "每个值从哪里来", "where each value comes from"),
            ("novel config providers", "有哪些服务商，哪些有密钥", "which providers there are and which have a key"),
        ],
    },
    Page {
        path: "config list",
        about: "列出全部设置",
        args: &[("show_origin", "同时说明每个值从哪里来")],
        examples: &[
            ("novel config list", "全部设置", "all settings"),
            ("novel config list --show-origin", "每个值从哪里来", "where each value comes from"),
        ],
    },
    Page {
        path: "config get",
        about: "打印一项设置的值",
        args: &[("key", "哪一项")],
        examples: &[
            ("novel config get provider", "用的是哪家", "whose models are used"),
            ("novel config get timeouts.idle", "多久没有回音算超时", "how long a silence is borne"),
        ],
    },
    Page {
        path: "config set",
        about: "在用户配置文件里写入一项设置",
        args: &[("key", "哪一项"), ("value", "值")],
        examples: &[
            ("novel config set provider deepseek", "选定服务商", "choose a provider"),
            (
                "novel config set agents.judge kimi:kimi-k3.1-pro",
                "评审用另一家的模型",
                "let another provider's model judge",
            ),
            ("novel config set budget 5usd", "每次运行的花费上限", "stop every run before five dollars"),
        ],
    },
    Page {
        path: "config unset",
        about: "从用户配置文件里去掉一项设置",
        args: &[("key", "哪一项")],
        examples: &[
            ("novel config unset model", "恢复服务商的默认模型", "use the provider's own model again"),
            ("novel config unset budget", "不再限制花费", "no limit any more"),
        ],
    },
    Page {
        path: "config path",
        about: "打印用户配置文件的位置",
        args: &[],
        examples: &[
            ("novel config path", "配置文件在哪", "where the file is"),
            ("novel config path --json", "给程序看", "for programs"),
        ],
    },
    Page {
        path: "config providers",
        about: "列出认识的服务商，以及哪些有密钥；从不显示密钥",
        args: &[],
        examples: &[
            ("novel config providers", "有哪些，正在用哪个", "which there are and which is used"),
            ("novel config providers --json", "给程序看", "for programs"),
        ],
    },
    Page {
        path: "demo",
        about: "离线写一本小书，随便看看",
        args: &[
            ("dir", "书的文件夹：新的、空的，或是中断了的样书"),
            ("chapters", "写几章；0 表示只要计划 [默认: 3，分卷时每卷 10]"),
            ("volumes", "从一个想法长起：世界、人物、试写、规划并回顾这么多卷"),
        ],
        examples: &[
            ("novel demo", "写在 novel-demo 里", "write it to novel-demo"),
            ("novel demo look --chapters 10", "多写几章", "write some more"),
            (
                "novel demo long --volumes 3 --chapters 30",
                "走完整个流程：三卷三十章",
                "the whole way: three volumes, thirty chapters",
            ),
        ],
    },
    Page {
        path: "completions",
        about: "打印命令补全脚本",
        args: &[("shell", "哪种 shell")],
        examples: &[
            ("novel completions bash > ~/.local/share/bash-completion/completions/novel", "给 bash 用", "for bash"),
            ("novel completions fish > ~/.config/fish/completions/novel.fish", "给 fish 用", "for fish"),
        ],
    },
    Page {
        path: "man",
        about: "打印手册，或安装手册页",
        args: &[("install", "把手册页写到 DIR/man1，而不是打印")],
        examples: &[
            ("novel man | man -l -", "读手册", "read the manual"),
            (
                "novel man --install ~/.local/share/man",
                "安装，之后 git novel --help 也能用",
                "install it, for git novel --help as well",
            ),
        ],
    },
];
