//! Every message of the program in English, in the order of the files that say them.
//!
//! The file is longer than 500 lines because a language is read, and edited, from top to bottom.

messages! {
    // Command line: words that clap writes; the English ones are its own and have to be spelt as in its version.
    clap_options = "Options:";
    clap_commands_heading = "Commands:";
    clap_global_heading = "Global options:";
    clap_arguments = "Arguments:";
    clap_options_in_usage = "[OPTIONS]";
    clap_command_in_usage = "[COMMAND]";
    clap_default = "[default: ";
    clap_possible_values = "[possible values: ";
    clap_possible_values_heading = "Possible values:";
    clap_help_of_help = "Print this message or the help of the given subcommand(s)";
    clap_help_and_more = "Print help (see more with '--help')";
    clap_help_and_less = "Print help (see a summary with '-h')";
    clap_help = "Print help";
    clap_version = "Print version";
    clap_usage = "Usage:";
    clap_command = "COMMAND";

    // Command line: help.
    every_command_has_its_own_help = "\nFor help on a command: novel help COMMAND; for exit codes: novel --help";
    examples = "Examples:";
    outline_format = "Outline format:";
    section_n_title_chapter_from_chapter =
        "one section `## 第N章 TITLE` per chapter, from chapter 1, without gaps; 故事线: a storyline or 主线;\n无 means no plot threads; `novel plan fill` can fill in omitted fields";
    exit_codes = "Exit codes:";
    man_name = "NAME";
    man_synopsis = "SYNOPSIS";
    man_description = "DESCRIPTION";
    man_global_options = "GLOBAL OPTIONS";
    man_options = "OPTIONS";
    man_commands = "SUBCOMMANDS";
    man_extra = "EXTRA";
    man_version = "VERSION";
    man_exit_status = "EXIT STATUS";
    man_settings = "SETTINGS";
    man_setting(meaning, variable) = "{meaning} (variable {variable})";
    man_environment = "ENVIRONMENT";
    man_variable_key = "key for the chosen provider; stronger than the provider's own variable";
    man_variable_config = "configuration file to read instead of novel/config.toml in XDG_CONFIG_HOME";
    man_variable_language =
        "language of messages: Chinese for zh*, else English; on Windows the system's where none is set";
    man_variable_color = "no color, whatever the value";
    man_variable_columns = "width of answers";
    man_variable_pager = "pager for long answers on a terminal";
    man_variable_clock = "seconds at which the clock stands still, to reproduce a run";
    man_variable_of(name) =
        "key for {name}; with no provider configured, the first of these that is set chooses it";
    manual_page_cannot_be_written(shown) = "cannot write the manual page `{shown}`";
    to_let_man_find_them_export(shown) = "to let man find them: export MANPATH=\"{shown}:$MANPATH\"";

    // Command line: wrong usage.
    needs_value(argument) = "`{argument}` requires a value";
    cannot_be_used_for(value, argument) = "invalid value `{value}` for `{argument}`";
    there_is_no_argument(argument) = "unexpected argument `{argument}`";
    there_is_no_command(given) = "no such command: `{given}`";
    there_is_one_argument_too_many(argument) = "unexpected argument `{argument}`";
    or_between = "` or `";
    usage_is_missing(argument) = "missing argument: {argument}";
    command_is_missing = "missing command";
    can_be_given_only_once(argument) = "`{argument}` can be given only once";
    show_origin_is_for_list_alone = "`--show-origin` works with `list` only";
    is_too_much_beside_action(name) = "`{name}` cannot stand before another command";
    cannot_be_used_with(argument, other) = "`{argument}` cannot be used with `{other}`";
    has_wrong_number_of_values(argument) = "`{argument}` has the wrong number of values";
    write_as_value(argument) = "write `{argument}` as `{argument}=VALUE`";
    command_line_is_not_valid_utf = "the command line is not valid UTF-8";
    is_setting_of_book_change_it(value) = "`{value}` is a setting of the book: change it in the book's novel.toml";
    usage_it_may_be(values) = "valid values: {values}";
    did_you_mean(meant) = "did you mean `{meant}`?";
    help_shows_how_it_is_used(command) = "for usage: `{command} --help`";

    // Command line: values that are not understood.
    write_name_that_novel_check_gives =
        "use the name shown by `novel check`, such as ch-012/leak/老周; for a rule ch-012/W-003; for every chapter all/variant/林峰";
    whole_number_from_one = "use a whole number, 1 or greater";
    volume_has_to_chapters(largest) = "a volume has 1 to {largest} chapters";
    whole_number_from_zero = "use a whole number, 0 or greater";
    write_chapter_as_or_ch = "use a chapter such as 48 or ch-48";
    write_volume_as_or_vol = "use a volume such as 2 or vol-2";
    id_has_lower_case_letters_digits = "use only lower-case letters, digits, - and _ in an ID, such as lin-feng";
    it_must_not_be_empty = "it must not be empty";
    write_range_of_words_as = "use a range of characters such as 2500-3500";
    write_amount_as_usd_or_cny = "use an amount such as 5usd, $5, 20元 or 20cny";
    write_true_or_false_or_yes = "use true or false (or 1/0, yes/no, on/off)";
    currency_is_cny_or_usd = "the currency is cny or usd";
    write_rate_as_yuan_for_dollar = "use a rate in yuan per dollar, such as 7.1";
    write_length_of_time_as_ms = "use a duration such as 500ms, 90s, 5m or 1h";
    write_chapters_as_or_ch_ch = "use a range of chapters such as 40-48 or ch-40..ch-48";
    last_chapter_comes_before_first(first, last) = "{last} comes before {first}: give the first chapter, then the last";
    write_chapters_as = "use chapters such as 5-9,12";
    write_target_as_ch_vol_ch = "use a target such as ch-45, 45, vol-2, ch-48/scene-2, world, plan vol-02, or a commit";
    write_ch_or_commit = "use a chapter such as ch-48, or a commit";
    write_characters_lin_feng_location_display =
        "use a path such as characters.lin-feng.location, a display name, or the ID of a plot thread";
    stage_is_one_of(names) = "valid stages: {names}";
    write_two_stages_as_draft_refined = "use two stages such as draft..refined";

    // Command line: exit codes.
    done = "done";
    answer_is_no_check_found_something = "the answer is no, or a check found something";
    command_line_is_wrong = "invalid command line";
    person_has_to_decide_novel_decide = "your decision is needed (novel status names it)";
    not_set_up_no_book_no = "not set up: no book, no key, or an unsupported repository";
    models_side_failed_after_retries_run = "the model or its provider failed, even after retries; try again later";
    budget_is_spent = "the budget is used up";
    somebody_else_is_writing_or_book = "another process is writing, or the book has changed; run again";
    bug_in_novel_please_report_it = "a bug in novel; please report it";
    interrupted_running_again_goes_on_from = "interrupted; run again to resume";

    // Command line: questions.
    to_move_enter_takes_marked_one = "↑↓ move, Enter selects, type to filter, Esc: not now";
    keys_of_yes = "y yes, n no, Enter: yes, Esc: not now";
    keys_of_no = "y yes, n no, Enter: no, Esc: not now";
    keys_of_text = "Enter confirms, Esc: not now";
    not_now_to_answer_later(again) = "left for later; to answer: {again}";
    left_open = "(unanswered)";
    answer_is_needed_and_nobody_can(question) = "an answer is required, but no one can be asked: {question}";
    answer_with(flag) = "answer with `{flag}`";
    answer_yes = "yes";
    answer_no = "no";
    prompt_interrupted = "interrupted";
    no_answer_was_given = "no answer was given";
    recommended = " (recommended)";
    keys_of_pager = "(space: next page, q: leave)";
    terminal_warning = "warning: ";

    // Command line: folder.
    current_folder_is_not_there_any = "the current folder no longer exists";

    // Settings: the list.
    not_needed = "not needed";
    set = "set";
    is_not_set(name) = "{name} is not set";
    none_is_chosen_set_one_of = "none selected: set one of these variables, or run `novel config set provider NAME`";
    wrote_to(name, value, shown) = "wrote {name} = {value} to {shown}";
    took_out_of(name, shown) = "removed {name} from {shown}";
    was_not_set_in(name, shown) = "{name} is not set in {shown}; nothing changed";
    config_column_provider = "provider";
    config_column_key = "key";
    config_column_standard_model = "standard model";
    config_column_strong_model = "strong model";
    config_column_address = "address";

    // Settings: their meaning.
    whose_models_see_novel_config_providers = "provider: see `novel config providers`";
    model_for_bulk_of_work_name = "model for most of the work; NAME or PROVIDER:NAME";
    model_for_revisions_name_or_provider = "model for revisions; NAME or PROVIDER:NAME";
    model_of_this_agent_name_or = "model for this agent; NAME or PROVIDER:NAME";
    address_of_server_when_it_is = "address of the server, if not the provider's own";
    wire_format_of_server_anthropic_or = "wire format of the server: anthropic or openai";
    tokens_of_prompt_and_answer_that = "context size of the server in tokens, prompt and answer together";
    name_of_variable_that_holds_key = "name of the environment variable that holds the key";
    file_that_holds_key_nobody_else = "file that holds the key; only you may be able to read it";
    file_of_prices_over_built_in = "price file that overrides the built-in prices";
    free_chosen_providers_models_cost_nothing = "`free`: models of the selected provider cost nothing";
    currency_of_shown_money = "currency in which money is shown: cny or usd; by the language if not set";
    yuan_for_dollar = "exchange rate in yuan per dollar";
    host_to_which_key_may_be = "host to which the key may be sent over plain http, unencrypted";
    language_of_messages_zh_or_en = "language of messages: zh or en";
    what_run_may_cost_as_usd = "maximum cost of a run, such as 5usd or 20元";
    whether_offline_writer_writes_true_or = "use the offline writer: true or false";
    address_of_mem0_server_which_finds = "address of a Mem0 server, for semantic search of chapters";
    how_long_to_wait_for_connection = "time to wait for a connection";
    how_long_to_wait_for_first = "time to wait for the first byte";
    how_long_silence_is_borne = "longest silence before a time-out";
    how_long_attempt_may_take = "maximum duration of an attempt";
    how_long_to_wait_after_time = "time to wait after a time-out before retrying";
    how_long_to_wait_for_server = "maximum time to wait for a server that is busy or unreachable; 0 for not at all";
    that_looks_like_key_keep_it =
        "this looks like a key; keep it in an environment variable (`key_env` names it) or in a file that only you can read (`key_file`)";
    there_is_no_provider_did_you(value, meant, all) =
        "no such provider: `{value}`; did you mean {meant}? Valid providers: {all}";
    there_is_no_provider_it_is(value, all) = "no such provider: `{value}`; valid providers: {all}";
    wire_is_anthropic_or_openai = "valid wire formats: anthropic, openai";
    language_is_zh_or_en = "valid languages: zh, en";
    only_free_can_stand_here_prices = "the only valid value is `free`; prices belong in the file that `prices` names";
    write_host_alone_as = "use the host name alone, such as 192.168.1.5";
    name_of_variable_has_letters_digits = "a variable name has only letters, digits and underscores";
    value_must_not_be_empty = "the value must not be empty";
    address_begins_with_https_or_http = "an address starts with https:// or http://, such as http://127.0.0.1:8080/v1";
    this_is_not_address = "not a valid address";
    address_must_not_hold_name_or = "an address must not contain a user name or password";
    address_must_not_have_part_behind = "an address must not have a `?` or `#` part";
    there_is_no_setting_did_you(name, meant) = "no such setting: `{name}`; did you mean `{meant}`?";
    there_is_no_setting_key_stays(name) =
        "no such setting: `{name}`; keep a key in an environment variable (`key_env` names it) or in a file that only you can read (`key_file`)";
    there_is_no_setting_novel_config(name) = "no such setting: `{name}`; `novel config` lists all settings";

    // Settings: where they come from.
    flag(flag) = "flag {flag}";
    variable(name) = "variable {name}";
    books_novel_toml = "the book's novel.toml";
    because_is_set(name) = "because {name} is set";
    built_in = "built in";
    verbatim_with_key(origin, key, why) = "{origin}: `{key}`: {why}";
    verbatim_with_reason(origin, why) = "{origin}: {why}";
    correct_it_or_unset(name) = "fix it, or `unset {name}`";
    novel_config_set_value_or_novel(key) = "`novel config set {key} VALUE`, or `novel config unset {key}`";
    correct_it_in(path) = "fix it in {path}";
    correct_it_and_try_again = "fix it and try again";
    several_keys_are_set_using_also(name, others) =
        "several keys are set; using {name} (others: {others}); choose with `novel config set provider`";
    not_set = "not set";
    built_in_of(day) = "built in ({day})";
    setting_cannot_be_used_nothing_was(key) = "the setting {key} is invalid; nothing was sent";
    setting_is_not_known_nothing_was = "unknown setting; nothing was sent";
    settings_cannot_be_used_nothing_was(n) = "invalid settings: {n}; nothing was sent";
    there_is_no_such_variable_did(meant) = "no such variable; did you mean {meant}?";
    its_value_is_not_utf_text = "its value is not UTF-8 text";
    folder_of_your_configuration_is_not = "cannot determine your configuration folder";
    name_file_with_novel_config = "set the path of the file in NOVEL_CONFIG";
    configuration_file_cannot_be_read(shown) = "cannot read the configuration file `{shown}`";
    configuration_file_is_not_valid_toml(shown) = "the configuration file `{shown}` is not valid TOML";
    value_for_is_not_understood(name) = "invalid value for `{name}`";
    configuration_file_cannot_be_changed(shown) = "cannot change the configuration file `{shown}`";

    // Settings: models and providers.
    there_is_no_provider(name) = "no such provider: `{name}`";
    models_it_may_be(names) = "valid names: {names}";
    holds_no_key_it_has_blanks(source) = "{source} is not a valid key: it contains blanks or other invalid characters";
    copy_key_from_providers_site_again = "copy the key from the provider's site again";
    key_is_not_sent_to_over(host) = "refusing to send the key to {host} over plain http, unencrypted";
    use_address_that_begins_with_https = "use an address that starts with https://";
    if_you_trust_that_host_and(host) =
        "if you trust that host and the network in between: `novel config set plain_http {host}`";
    key_file_cannot_be_read(shown) = "cannot read the key file `{shown}`";
    key_file_can_be_read_by(shown) = "the key file `{shown}` is readable by others";
    chmod(shown) = "`chmod 600 {shown}`";
    no_provider_of_models_is_set = "no model provider is set up";
    set_one_of_these_variables(names) = "set one of these variables: {names}";
    or_use_model_on_this_machine = "or use a model on this machine: `novel config set provider ollama`";
    variable_which_key_env_says_holds(name) = "the variable {name}, named by `key_env`, is not set";
    set_it_or_novel_config_unset = "set it, or `novel config unset key_env`";
    no_model_of_is_named(name) = "no model set for {name}";
    name_it_for_example_novel_config(key, example) = "set one, for example: `novel config set {key} {example}`";
    there_is_no_key_for(name) = "no key for {name}";
    set_variable(variable) = "set the variable {variable}";

    // Settings: memory server.
    colon = ": ";
    memory_end_kind(end, kind) = "{end} ({kind})";
    answers_question_of_chapter(chapters) = "answers the question of ch {chapters}";
    time = "time";
    places = "places";
    events = "events";
    people = "characters";
    memory_open = "open";
    its_end = "ending";
    pays_off = "payoffs";
    chapter_memory = "── chapter memory ──";

    // Beginning a book: novel init.
    measuring_style_of_samples = "measuring the style of the samples…";
    install_git_hooks_they_check_formats =
        "Install git hooks? They check formats and keys before you commit or push yourself; `novel hooks remove` removes them";
    git_does_not_know_your_name_so_commit =
        "git does not know your name, so the commit author is novel: `git config --global user.name NAME`";
    novel_c_start_world_people_three(shown) =
        "novel -C {shown} start (world, characters, three trial chapters; or write volumes/vol-01/outline.md yourself)";
    is_in_commit(title, path, commit) = "`{title}` is in {path}, commit {commit}\n";
    outline_has(chapters, planned_chapters) = "the outline has {chapters}\n";
    of_it_leave_fields_open_which(chapters, open_chapters) =
        "{chapters} with empty fields, to be filled in before writing\n";
    subjects_of_commits_are_in_other_language =
        "the commits of this book are described in Chinese; for English, set language = \"en\" below [book] in novel.toml";
    there_before_taken_over_as_they(list) = "existing files added unchanged: {list}\n";
    hooks_can_be_installed_later = "git hooks not installed; to install them later: novel hooks install";
    git_hooks_are_installed = "git hooks installed\n";
    no_git_hooks_installed_novel_hooks(why) = "no git hooks installed: {why} (`novel hooks install`)";
    genre_such_as_mystery_fantasy_historical =
        "Genre, such as mystery, fantasy, historical romance (Enter: decide later)";
    protagonist_name_and_few_words_such =
        "Protagonist: a name and a few words, such as 沈渡，不会水的摆渡人 (Enter: invent one later)";
    central_conflict_in_sentence_such_as =
        "Central conflict in a sentence, such as 一张对不上的舱单 (Enter: invent one later)";
    fewest_words_must_be_below_most = "the minimum length must be below the maximum";
    init_cannot_be_read(shown) = "cannot read `{shown}`";
    file_must_be_plain_text_in = "the file must be plain text in UTF-8";
    there_is_no_such_file = "no such file";
    standard_input_is_not_usable_json = "standard input is not valid JSON";
    is_not_usable_json(shown) = "`{shown}` is not valid JSON";
    fields_title_genre_protagonist_conflict =
        "fields: title, genre, protagonist, conflict, outline, samples, reference_author, style, min_words, max_words, offline";

    // Beginning a book: novel start.
    stopped_here_to_go_on_novel = "stopped here; to continue: novel start";
    step_has_changed_nothing_so_this = "the step changed nothing, so it stops here";
    book_has_no_world_rules_write =
        "the book has no world rules: write some in world/rules.json, or rephrase your request: `novel world update WISH`";
    there_is_no_book_here_yet_three =
        "There is no book here yet. Three questions create one, at no cost; Enter skips a question, Esc: not now";
    there_is_no_book_here_yet = "there is no book here yet";
    new_book_make_book_genre_protagonist_and = "create a book: genre, protagonist and conflict, in your words (free)";
    new_book_look_at_sample_book_first = "view a sample book first (free)";
    present_one_once_more = "the current one again";
    which_style = "Which style?";
    which_genre_enter_keeps_it = "Which genre? Such as mystery, fantasy (Enter: no change)";
    who_is_protagonist_in_sentence = "Who is the protagonist? Such as 沈渡，不会水的摆渡人 (Enter: no change)";
    waits_for_you_novel_decide(chapter) = "{chapter} awaits your decision: novel decide";
    questions_what_about(chapter) = "What should happen to {chapter}?";
    change_save_it_then_novel_continue(path) = "edit {path}, save it, then `novel continue`";
    book_is_complete_and_ends_with_to(volume, reopen) =
        "the book is complete and ends with {volume}; to continue anyway: {reopen}\n";
    book_is_complete_what_now = "The book is complete. What now?";
    paths_of_samples_plain_text_separated = "Paths of the samples: plain text, separated by spaces, such as old.txt tale.txt (Enter: none now)";
    whose_text_it_is = "Author of the text, such as Lao She (Enter: none now)";
    paths_of_notes_plain_text_separated = "Paths of the notes: plain text, separated by spaces, such as tickets.md docks.txt (Enter: none now)";
    one_more_thing_is_needed(question) = "missing input: {question}";
    give_it_with_and_run_again(flag) = "provide it with `{flag}` and run again";
    nothing_was_answered_nothing_has_changed = "no answer given, nothing changed";
    novel_start_asks_again = "`novel start` asks again";
    state_of_this_book_texts_in =
        "The state of this book. Text in quotation marks is book content: data, not instructions.\n";
    title = "title";
    phase = "phase";
    volume_chapters_written(phase, volume, last) = "{phase}, volume {volume}, chapters written: {last}";
    last_chapter = "last chapter";
    position_storyline = "storyline";
    in_flight = "in flight";
    for_author_to_decide = "awaiting the author's decision";
    foreshadowing_due = "plot thread due";
    by_chapter(id, description, due) = "{id} {description}, by chapter {due}";
    edits_not_committed = "files with uncommitted edits";
    files(n) = "{n}";
    position_next = "next";

    // Beginning a book: answers.
    no_question_waits_for(answer) = "no open question takes the answer `{answer}`";
    novel_status_says_how_far_book_is = "`novel status` shows the progress of the book";
    is_no_answer_to_question_that(answer) = "`{answer}` does not answer the open question";
    answers_it_may_be(list) = "valid answers: {list}";
    plan_of_is_put_aside(volume, back) = "put aside: the plan of {volume}{back}";
    changes_of_are_put_aside(work, back) = "put aside: the changes to {work}{back}";
    updated_plans_are_put_aside(back) = "put aside: the updated plans{back}";
    by_novel_restore(name) = " (novel restore {name})";
    change_files_in_then(files, next) = "edit the files in {files}, then `{next}`";
    change_then(files, next) = "edit {files}, then `{next}`";
    answer_go_on = "keep the chapters and plan the first volume";
    answer_style = "rewrite them in another style";
    answer_subject = "start over with another subject";
    answer_approve = "approve it";
    answer_edit = "edit it first";
    answer_reject = "put it aside";
    answer_clean = "remove them";
    answer_keep = "keep them all";
    answer_next_volume = "plan the next volume";
    answer_wrap_up = "plan one more volume to end the book";
    answer_end = "end the book here";
    answer_found = "create world, theme and characters, then three trial chapters";
    answer_found_only = "create only world, theme and characters, to look at first";
    answer_write_one = "write one chapter";
    answer_write_five = "write five chapters";
    answer_write_volume = "write all planned chapters";
    answer_plan = "plan the volume";
    answer_review = "review the volume";
    answer_preset = "the built-in style that fits the genre";
    answer_samples = "my own prose, from samples";
    answer_reference = "another author's prose, from a sample";
    answer_extract_later = "write a chapter first and extract the style from it";
    answer_research = "add research notes";
    answer_look_back = "view the figures of the written chapters";
    answer_more = "something else";
    answer_stop = "stop here for now";
    recommendation_continue = "continuing";
    recommendation_wrap_up = "wrapping up";
    recommendation_force_end = "ending the book here";

    // Beginning a book: where the book is.
    no_style_has_been_chosen = "no style has been chosen yet";
    world_theme_and_people_are_not = "world, theme and characters are not complete yet";
    world_theme_and_people_are_there = "world, theme and characters are complete; next, three trial chapters";
    has_no_plan_yet_it_would(volume, chapters) =
        "{volume} has no plan yet; it will get {chapters} chapter(s) (change with --chapters)";
    is_written_and_not_reviewed_yet(volume) = "{volume} is written but not reviewed yet";
    chapter_comes_next_planned_chapters_are(next, left) =
        "chapter {next} comes next; planned chapters not written yet: {left}";
    trial_chapters_on_average(n, mean) = "{n} trial chapter(s), mean score {mean}";
    journey_plan_of_waits_for_you(volume) = "the plan of {volume} awaits your approval";
    of_rules_or_contracts_to_approve(what, changes, n) = "{what}: {changes} to rules or contracts to approve";
    is_written_its_state_holds_that(volume, things, n) =
        "{volume} is written; its state holds {things} no longer needed";
    is_written_chapters_on_average(volume, n, mean) = "{volume} is written: {n} chapter(s), mean score {mean}";
    what_now(rationale) = "{rationale}. What now?";
    journey_words_name(words, name) = "{words}: {name}";
    read_trial_chapters = "read the trial chapters first";
    read_review = "read the review first";
    added = " (added)";
    taken_out = " (removed)";
    changed = " (changed)";
    hard = " [hard]";
    soft = " [soft]";
    except(list) = "; except: {list}";
    to_change_it(requires) = "; to change it: {requires}";
    no_chapters_yet_so_far(title, phase, spent) = "{title}: no chapters yet · {phase} · {spent} so far";
    journey_progress_planned(title, done, planned, volume, phase, spent) =
        "{title}: {done} of {planned} chapter(s) · volume {volume} · {phase} · {spent} so far";
    journey_progress(title, done, volume, phase, spent) =
        "{title}: written through chapter {done} · volume {volume} · {phase} · {spent} so far";
    volume_was_planned_as_last_one(course) = "this volume was planned as the last; the reviewer recommends {course}";
    reviewer_is_for(course) = "the reviewer recommends {course}";
    with_about_chapters_to_go(left) = ", with about {left} chapter(s) to go";
    subject_reason(reason) = ": {reason}";

    // Beginning a book: novel demo.
    demo_book_is_in_written_by(shown) = "\nThe demo book is in {shown}, written by the offline writer. Look around:\n";
    words_mean_score(v, c, words, score, volumes, n) = "\n{v}, {c}, {words} characters, mean score {score}.";
    book_has_at_most_volumes = "a book has at most 999 volumes";
    volumes_have_at_most_chapters(volumes, most) = "at most {most} chapter(s) fit into {volumes} volume(s)";
    demo_plans_so_many_chapters(planned) = "the plan of the demo has {planned} chapters; for more, add `--volumes 2`";
    volumes_need_at_least_chapters(volumes, least) = "it takes at least {least} chapter(s) to fill {volumes} volume(s)";
    book_waits_for_decision_of_yours = "the book awaits your decision";
    novel_c_start(dir) = "`novel -C {dir} start`";

    // Beginning a book: novel clone.
    is_in_with_chapters(title, path, chapters) = "{title} is in {path}, chapters written: {chapters}\n";
    draft_of_has_come_along(draft) = "the draft of {draft} was cloned too\n";
    to_go_on_novel_c_continue(quoted) = "to continue: novel -C {quoted} continue\n";

    // Planning: novel plan.
    it_is_not_complete_yet = "planning is not complete yet";
    nothing_is_final_before_you_approve = "nothing is final until you approve it";
    it_was_repaired_once_and_still = "it was repaired once and still has flaws";
    go_on_planning = "continue planning";
    approve_it = "approve it";
    take_up_your_changes_in(folder) = "apply your edits from {folder}/";
    let_planner_mend_plan = "have the planner mend it";
    another_number_of_chapters = "change the number of chapters";
    put_it_aside_and_plan_again = "put it aside and replan";
    plan_chapters(name, n) = "{name}, {n} chapter(s)";
    plan_line_chapters(n) = "{n} chapter(s)";
    plan_is_approved(written, folder) = "approved; chapters written: {written}; to change the plan, edit the files in {folder}/";
    with_which_book_ends = ", the last volume of the book";
    lines_meet_in(range, trigger) = "  crossover in ch {range}: {trigger}\n";
    foreshadowings(planned) = "  plot threads: {planned}\n\n";
    to_be_mended(flaw) = "to fix: {flaw}";
    could_be_better(remark) = "  could be better: {remark}\n";
    check_network_and_address =
        "check the network; start the server of a local model, whose address `novel config get base_url` shows";
    next_after_rejected_plan = "next: `novel plan make` for another plan, or `novel restore` to bring this one back";
    next_novel_continue = "next: novel continue";
    plan_was_put_aside_before_interruption = "the plan was put aside before the interruption\n";
    no_plan_waits_for_you = "no plan awaits your approval";
    plan_of_is_being_made_for(volume, chapters) = "the plan of {volume} is being made for {chapters} chapter(s)";
    another_number_novel_plan_resize_to(wanted) =
        "to change the number: `novel plan resize {wanted}`; to start over: `novel plan reject`";
    plan_plan_of_waits_for_you(volume) = "the plan of {volume} awaits your approval";
    first_approve_it_or_put_it = "approve it or put it aside first: `novel plan approve`, `novel plan reject`";
    no_field_of_outline_is_open = "the outline has no empty fields";
    still_has_chapters_to_write_nothing(volume) = "{volume} still has chapters to write; nothing to plan yet";
    novel_continue_goes_on = "`novel continue` continues writing";
    not_complete_yet_novel_plan_make = "planning is not complete yet: novel plan make\n";

    // Planning: steps.
    there_already_nothing_done_force_makes(what) = "{what}: already done, nothing changed; --force regenerates them\n";

    // Planning: people.
    nobody_yet_novel_character_first = "no characters yet: novel character first\n";
    has_left = "retired";
    named_in_last_chapters_without_file = "named in the last 20 chapters, but without a file";
    role_protagonist = "protagonist";
    role_deuteragonist = "second lead";
    role_mentor = "mentor";
    role_friend = "friend";
    role_rival = "rival";
    role_love_interest = "love interest";
    role_minor = "minor";
    role_antagonist = "antagonist";
    role_supporting = "supporting";
    people_times(times, place) = "{times}×  {place}";
    to_give_one_file(command) = "to create a file for one of them: {command}";
    people_to_see_what_changed_git_show_to_take_it(summary, commit) =
        "{summary}  {commit}\nto see what changed: git show {commit}; to undo: novel undo\n";
    chapters_to_come_still_name_this =
        "unwritten chapters still mention this character; change their outline sections or replan (novel plan):\n";
    column_name = "name";
    people_column_role = "role";
    people_column_last_seen = "last seen";

    // Planning: storylines.
    is_already(id, is) = "{id} is already {is}\n";
    storylines_no_storyline_yet_novel_storyline = "no storyline yet: novel storyline add\n";
    storylines_column_name = "name";
    storylines_column_status = "status";
    storylines_column_reach = "reach";
    storylines_column_chapters = "chapters";
    storylines_column_last = "last";
    storylines_column_where_it_stands = "current state";

    // Planning: style.
    style_is_already(preset) = "the style is already {preset}";
    your_edits_take_no_phrase_out = "your edits do not repeatedly remove any phrase\n";
    phrases_that_you_keep_taking_out = "phrases that you keep removing from chapters";
    times_in_edits(times, texts) = "{times}× in {texts} edit(s)";
    put_on_as_to_take_it(list, commit) = "added to {list} ({commit}); to undo: novel undo\n";
    to_put_them_on_books_list(command) = "to add them to the book's list, so that agents avoid them: {command}\n";
    sentences_of_han_characters_dialogue(length, percent) =
        "average sentence {length} characters, {percent}% dialogue\n";
    file_yours_to_change_built_in(file, presets, command) =
        "file: {file} (you can edit it); built-in styles: {presets} ({command} …)\n";
    neutral_no_style_has_been_chosen = "neutral (no style has been chosen yet)";
    profile_source_name(source, name) = "{source}: {name}";
    profile_column_what_to_do = "directives";
    profile_column_habits = "habits";
    profile_column_words_that_are_never = "words never used";
    profile_column_how_people_speak = "how characters speak";

    // Planning: impact of a change.
    reword = "reword";
    outline_contract = "outline, contract";
    outline = "outline";
    contract = "contract";
    nothing_that_plans_rest_on_has(since) = "no change since {since} affects the plans\n";
    changed_since(since) = "changed since {since}";
    touched_and_not_written_yet = "affected, not written yet";
    touched_and_up_to_date_now = "affected, now up to date";
    touched_and_changed_already_themselves_left = "affected, but already changed themselves (left alone)";
    touched_and_written_already_nothing_rewrites = "affected, already written (not rewritten)";
    to_write_one_of_them_again = "  to rewrite one of them: novel write N --force\n";
    up_to_date = "up to date";
    impact_to_see_what_changed_git_show_to_take_it(done, commit) =
        "{done}: {commit}; to see what changed: git show {commit}; to undo: novel undo\n";
    to_be_brought_up_to_date(n) = "{n} to update";
    or_change_them_yourself(waits, command) = "{waits}: {command} (or edit them yourself)\n";
    nothing_has_to_be_brought_up = "everything is up to date\n";

    // Writing: novel continue and novel write.
    is_already_written(chapter) = "{chapter} is already written; nothing to do";
    candidate_was_taken_others_are_kept(number) = "candidate {number} was chosen; the others are kept: `novel restore`";
    git_was_not_found_so_repository = "git was not found, so the repository was not packed";
    next_chapter_is(chapter) = "the next chapter is {chapter}\n";
    there_already(list) = "  done: {list}\n";
    to_do(list) = "  to do: {list}\n";
    writers_prompt_has_characters_about_tokens(chars, tokens, cost) =
        "  the writer's prompt has {chars} characters, about {tokens} tokens; this call costs at most {cost}\nnothing was sent, nothing was written\n";
    comes_first(first) = "{first} comes first";
    not_written(chapters, count) = "not written: {chapters}\n";
    is_there_already = "already written (--force rewrites it)";
    is_written_again = "to be rewritten";
    is_written = "to be written";
    has_been_taken_out_of_book = "was removed from the book";
    is_not_planned_novel_start = "not planned: novel start";
    about(money) = " · about {money}";
    free = " · free";
    estimate_unknown_cost = " · unknown cost";

    // Writing: progress.
    mem0_server_chapters_passages_to_add(range, added, removed) =
        "Mem0 server, ch {range}: passages to add: {added}, to remove: {removed}";
    your_changes_are_committed_first_as(commit, list) = "your changes were committed first ({commit}): {list}";
    style_is_drawn_from_what_is(subject, commit) =
        "style extracted from the written chapters: {subject}  {commit} (to view: novel style)";
    holds_edit_of_yours_it_becomes(path, chapter) =
        "{path} contains your edits: they become the text of {chapter}, to be summarized and judged";
    text_scene_of(written, planned) = "scene {written} of {planned}";
    going_on_is_there(chapter, title, list) = "{chapter} {title}: resuming; done so far: {list}";
    for_at_most(left) = " (for at most {left})";
    trying_again_in(why, wait, left) = "{why}; retrying in {wait}{left}";
    continuing_from_last_whole_sentence(stage, why) = "{stage}: {why}; continuing from the last complete sentence";
    asking_again(stage, why) = "{stage}: {why}; asking again";
    is_there_already_and_was_not(chapter) = "{chapter} already exists and was not rewritten\n";
    server_asks_for(asked) = "; the server asks for a wait of {asked}";
    text_stage_why(stage, why, asked) = "{stage}: {why}{asked}";
    placeholder = " (placeholder)";
    text_words(words) = "{words} characters";
    revised(n) = " (revised {n}×)";
    in_place_of(old) = "  replaces {old}";
    characters(what, model, sent) = "{what} → {model}, {sent} characters";
    text_tokens_in_cached_tokens_out(what, model, time, sent, cached, got, cost) =
        "{what} ← {model}, {time}, {sent} tokens in ({cached} cached), {got} tokens out, {cost}";
    scores_violations(chapter, score, n, gate) = "{chapter}: score {score}, violations {n} → {gate}";
    interrupted_is_complete_and_is_not(command) =
        "the interrupted `{command}` is already complete; to repeat it, run it again";
    going_on_with_interrupted_done_left(command, done, left) =
        "resuming the interrupted `{command}`: {done} done, {left} left";
    of_older_format_brought_to_present(count, commit, files) = "{count} converted to the current format ({commit})";
    built_on_what_has_changed(chapters, count) = "  affected by this change: {chapters}\n";
    to_write_them_again_novel_write(list) = "  to rewrite them: novel write {list} --force\n";
    to_write_it_again_novel_write(list) = "  to rewrite it: novel write {list} --force\n";
    unknown_price = "unknown price";
    progress_words(words) = " · {words} characters";
    progress_of_candidate(number, name) = "candidate {number} {name}";
    progress_tokens_tokens(tokens) = " · {tokens} tokens";
    progress_tokens_tokens_time(tokens, time, cost) = "{tokens} tokens  {time}  {cost}";
    gits_index_was_missing_and_has =
        "the git index was missing and was rebuilt from the last commit; no file was touched";
    unfinished_commit_is_kept_as(commit, name) = "an unfinished commit, {commit}, is kept as {name}: novel restore {commit}";
    holds_changes_of_yours_and_was(path) = "{path} contains your changes and was left alone";
    draft_of_is_put_aside(work, kept) = "the draft of {work} was put aside: novel restore {kept}";
    draft_of_is_open_again(work) = "the draft of {work} was reopened";
    commit_gpgsign_is_on_but_commits = "commit.gpgsign is on, but novel does not sign its commits: chapters are unsigned, and commits of your own git stay signed";
    name_to_commit_under = "Under which name are the chapters committed? (Enter: none)";
    git_does_not_know_your_name_so_commits(fallback) =
        "git does not know your name, so the commit author is {fallback}: `git config --global user.name NAME`";
    or_try_it_offline(again) = "or try it offline: `{again}`";
    price_table_cannot_be_read(shown) = "cannot read the price table `{shown}`";
    stopping_after_this_step_ctrl_c = "stopping after this step; Ctrl-C again to stop now";
    system_lacks_resources_to_begin = "not enough system resources to start";

    // Writing: warnings.
    has_words_instead_of_at_least(words, wanted) = "has {words} characters instead of at least {wanted}";
    has_words_instead_of_at_most(words, wanted) = "has {words} characters instead of at most {wanted}";
    repeats_of_its_text_from_also(percent, from, passage) =
        "still repeats {percent}% of its text from {from} after a second attempt (“{passage}…”)";
    was_called_which_is_too_like(title, like) =
        "was titled “{title}”, too similar to the title of {like}; it now has the planned title";
    is_called_which_is_too_like(title, like) =
        "is titled “{title}”, too similar to the title of {like}; to change it, edit the heading in the chapter's file";
    had_quotations_in_other_marks_than(spans) = "did not use the book's quotation marks in {spans} place(s); corrected";
    speaks_of_its_task_also_after(words) = "still mentions its task (“{words}”) after a second attempt";
    keeps_its_text_because_revision_cannot(why) = "keeps its text because the revision is unusable: {why}";
    not_checked_because_judge_did_not(list) = "not checked because the judge did not answer: {list}";
    judged_broken_but_no_words_of(list) =
        "judged to violate rules, but without a quotation as evidence; unproven: {list} (no revision is forced; please check)";
    follows_chapters_that_plain_git_has =
        "follows chapters that were changed with git directly: state and checkpoint were recomputed";
    is_another_text_than_review_of(volume, n) =
        "has changed since the review of {volume}; to renew the review: novel review {n} --force";
    mention_of_is_not_in_text(entity) = "was said to mention `{entity}`, which is not in the text; dropped";
    state_operation_repeats_prompts_example_and(number) =
        "state operation {number} copies the prompt's example; dropped";
    state_operation_was_dropped(number, reason) = "state operation {number} dropped: {reason}";
    state_operations_could_not_be_read(why) =
        "has state operations that were unreadable twice, so it does not change the state: {why}";
    summary_could_not_be_read_twice(why) =
        "has a summary that was unreadable twice: sentences of the chapter replace it, and the state is not changed: {why}";
    same_lines_were_changed_in_book(list) =
        "conflicts with edits in the book; the draft's lines are used, yours are in git history: {list}";
    cannot_be_read_as_it_is(path) =
        "{path} is unreadable and was committed as it is; to see what is wrong: novel doctor";
    could_not_be_written_noted_and = "could not be written; noted, continuing with others";
    style_could_not_be_drawn_from =
        "style could not be extracted from the written chapters; the next chapter is another attempt (or choose a built-in style: novel style use light)";
    prompt_of_has_about_tokens_over(stage, tokens, limit) =
        "needs about {tokens} tokens in the prompt for {stage}, over the book's limit of {limit}: the chapter's own text is long";
    was_begun_and_goes_on_so(how) = "was started {how} and continues that way";
    is_in_book_but_folder_is(why) =
        "is in the book, but the folder lags behind ({why}); the next command that writes updates it";
    had_lines_of_plan_around_its = "had lines of the plan around its story; removed";
    had_lines_of_prompt_in_its = "had lines of the prompt in its text; removed, along with everything after them";
    repeated_itself_in_its_last_words(words) = "repeated itself in its last {words} characters; removed";
    had_paragraphs_of_words_twice_they(words) =
        "had the same paragraphs ({words} characters) twice; the second copy was removed";
    had_characters_of_models_talk_around(chars) =
        "had {chars} characters of the model's own remarks around its story; removed";
    began_with_words_of_end_of(words) = "began with the last {words} characters of the previous chapter; removed";
    chapters_have_been_edited_and_their(list) =
        "ch {list} edited; summaries and deltas describe the older text: novel rebuild";
    relies_on_outdated(list) = "relies on outdated summaries and deltas (ch {list} edited): novel rebuild";
    state_changes_of_chapters_could_not(count, list, numbers) =
        "state/ lacks chapters whose deltas were unreadable ({list}; {count} in all): novel rebuild {numbers} summarizes them again and recomputes the state (texts stay unchanged)";
    warning_scene_by_scene = "scene by scene";
    warning_as_whole = "as a whole";

    // Writing: decisions.
    say_which_novel_decide_pick_candidate = "specify which one: `novel decide pick --candidate 2`";
    goes_on_with_candidate_next_novel(chapter, number) =
        "{chapter} continues with candidate {number}; next: novel continue\n";
    noted_before_interruption_go_on_with(words, next) = "recorded before the interruption: {words}; next: `{next}`\n";
    waits_for_decision_and_not(waiting, meant) = "{waiting} awaits a decision, not {meant}";
    to_change_it_yourself_edit_then(path) = "to change it yourself, edit {path}, then `novel decide edit`\n";
    holds_changes_of_yours_novel_decide(path) = "{path} contains your changes; `novel decide edit` applies them\n";
    noted_go_on_with(chapter, decision, next) = "{chapter}, recorded: {decision}; next: `{next}`\n";
    decide_words_told(words, told) = "{words}: {told}\n";
    go_on_with(words, told, next) = "{words}: {told}; next: `{next}`\n";
    decide_approved(told, next) = "approved: {told}; next: `{next}`\n";
    decide_told(told, next) = "{told}; next: `{next}`\n";
    put_this_scene_aside_and_write = "put this scene aside and rewrite it";
    put_this_version_aside_and_write = "put this version aside and rewrite it";
    it_broke_off_first_words_up(stage, words) =
        "cut off during {stage}; the first {words} characters, up to the last complete sentence, are kept";
    is_not_finished_what_now(chapter, title) = "{chapter} {title} is unfinished. What now?";
    what_is_there(path) = "  written so far: {path}\n";
    without_answer_next_novel_continue_goes =
        "Without an answer, the next `novel continue` resumes where the text was cut off.";
    to_plan_scenes_anew_as_well(chapter) =
        "to replan the scenes as well: novel rollback {chapter}/scene-0, then novel continue --scenes";
    offline_placeholder = " (an offline placeholder)";
    score_is_revision_has_passed_and(score, placeholder) =
        "the score is {score}{placeholder}; the revision passed the gate and awaits your decision (novel revision show)";
    judge_left_hard_rules_unanswered_asked(list, score) =
        "the judge left hard rules unanswered twice ({list}), and unchecked rules do not pass; the score is {score}";
    score_is_too_low_to_go(score, placeholder) = "the score is {score}{placeholder}, too low to continue without you";
    score_is_with_to_be_dealt(score, placeholder, violations, n) =
        "the score is {score}{placeholder}, with {violations} to resolve";
    decision_what_about(chapter, title) = "What should happen to {chapter} {title}?";
    decision_broken(violation) = "violated: {violation}";
    broken_but_unproven(violation) = "violated, but unproven: {violation}";
    if_violation_is_meant_novel_waive(chapter, rule) =
        "if the violation is intentional: novel waive {chapter}/{rule} --reason TEXT, then novel continue";
    nothing_after_it_is_written_before = "No later chapter is written until you answer.";
    decision_also_waiting(list) = "also awaiting your decision, one after the other: {list}\n";
    no_question_but_sync_waits(next) =
        "nothing to answer here; the choice between two devices is made by {next}\n";
    no_question_waits(next) = "nothing awaits your decision; to see what comes next: {next}\n";

    // Writing: candidates.
    has_candidates_choose_one(chapter, n) = "{chapter} has {n} candidates; choose one:";
    side_by_side_choose_has_best(compare, pick) =
        "  side by side: {compare}\n  choose: {pick} (* marks the highest score), then novel continue\n";
    column_title = "title";
    column_words = "chars";
    column_score = "score";
    candidates_column_violations = "violations";
    column_branch = "branch";

    // Writing: evaluations.
    not_checked_left_out_by_judge = "? not checked (no answer from the judge): ";
    not_checked_list = "? not checked: ";
    waived_list = "· waived by the author: ";
    not_asked_list = "? not asked (no room in the prompt): ";
    overall(chapter, overall, gate) = "{chapter} overall {overall}{gate}";
    offline_judge_has_not_read_text =
        "The offline judge does not read the text: its scores are placeholders that let the chapter proceed, and no rule is checked.";
    fix_of_target(target, instruction) = "{target}: {instruction}";
    to_fix = "to fix";
    problems = "problems";
    strengths = "strengths";
    flags = "flags";
    quotation_is_not_in_text = " (quotation not found in the text)";
    kept(kept) = "{kept} kept";
    evaluation_broken(broken) = "{broken} violated";
    evaluation_waived(waived) = "{waived} waived";
    not_touched(apart) = "{apart} not applicable";
    evaluation_not_checked(unknown) = "{unknown} not checked";
    clause_comma = ", ";
    contracts(counts) = "contracts: {counts}\n";
    has_to_be_revised = ", must be revised";
    unproven = ", unproven";
    evaluation_mark_rule(mark, rule, layer, strength, confidence, blocks, detail) =
        "  {mark} {rule} ({layer}, {strength}, {confidence}{blocks}) {detail}\n";
    not_in_text = " (not found in the text)";

    // Writing: an interrupted command.
    finished_which_had_been_interrupted(what, commit) = "completed {what} after an interruption ({commit})";
    was_interrupted_next_command_that_writes(what) = "{what} was interrupted; the next command that writes finishes it";
    rewriting_of(chapter) = "the rewrite of {chapter}";
    acceptance_of(chapter) = "the acceptance of {chapter}";
    rollback_to(to) = "the rollback to {to}";
    undo_of(of) = "the undo of `{of}`";
    redo_of(of) = "the redo of `{of}`";
    commit_of_your_edits = "the commit of your edits";
    making_of_book = "the creation of the book";
    interrupted_subject(subject) = "`{subject}`";

    // Writing: several books.
    work_needs_remotes_no_sync_does = "`work` needs remotes and cannot be used with `--no-sync`";
    written_in_nothing_is_left_to(chapters, of, books, n) = "{chapters} written in {of}; nothing left to do\n";
    as_many_as_asked_for = "requested number reached";
    chapter_waits_for_its_author = "a chapter awaits its author's decision";
    nothing_more_is_planned = "nothing more is planned";
    another_device_is_writing = "another device is writing";
    two_lines_wait_for_authors_choice = "devices have diverged, awaiting the author's choice";
    others_keep_pushing = "others keep pushing";
    written(book, chapters, why, written) = "{book}: {chapters} written, {why}\n";

    // Looking: status.
    not_main_line_novel_adopt_takes(line) = "{line}, not the main line: `novel adopt {line}` adopts it";
    status_line = "line";
    so_far = "so far";
    cost = "cost";
    status_open = "open";
    to_decide = "to decide";
    rebuild = "rebuild";
    outdated = "outdated";
    your_edits = "your edits";
    has_moved_corrected_since_by_style(since) = " (has drifted; corrected since {since} by style-drift.json)";
    style = "style";
    status_broken = "broken";
    status_path_what(path, what) = "{path}: {what}";
    status_interrupted = "interrupted";
    blocked = "blocked";
    busy = "busy";
    is_writing(writer) = "{writer} is writing";
    offline_writer_no_network_no_cost =
        "the offline writer: no network, no cost; its prose and scores are for trying things out";
    writer = "writer";
    missing = "missing";
    no_chapters_yet(title, phase) = "{title}  no chapters yet · {phase}\n";
    status_volume(title, chapters, volume, phase, done) = "{title}  {chapters} · volume {volume} · {phase}\n";
    words_average_score(words, average) = "{words} characters, mean score {average}";
    force_passed(forced) = ", {forced} force-passed";
    with_unreadable_state_changes(skipped) = ", {skipped} with unreadable deltas";
    and_with_calls_of_unknown_price(known, chapters, n) = "{known}, plus {chapters} with calls of unknown price";
    status_entries_open(entries, open) = "{entries}";
    status_overdue(n, ids) = ", {n} overdue: {ids}";
    not_committed(count, files, n) = "{count} uncommitted: {files}";
    not_finished_see_novel_decide = " · unfinished: see `novel decide`";
    status_revisions_n(revisions, n) = " · {revisions}";
    status_and_calls_unknown(known, calls, n) = "{known}, plus {calls} of unknown price";
    status_not_summarised(list) = "ch {list} without summary or delta yet: novel rebuild";
    status_contracts_of(of_volume) = "the chapter contracts of {of_volume}";
    draft_is_in_staging = " (the draft is in staging/)";
    and_others = ", …";
    brief_brief_md = "the brief, brief.md";
    outline_of(of_volume) = "the outline of {of_volume}";
    file_is_missing = "the file is missing";
    status_and_more(more) = " (and {more} more)";
    nothing_book_is_complete_to_go = "nothing: the book is complete (to continue: novel start --answer next-volume)";
    novel_start_or_write_volumes_outline(volume) =
        "novel start (or write volumes/{volume}/outline.md yourself; examples/outline.md shows how)";
    status_lines_differ(remote, list) = "which line goes on, this copy's or that of {remote}: both have changed {list}";
    status_revision_of(chapter, title) = "the revision of {chapter} {title}";
    which_of_candidates(chapter, n) = "which of the {n} candidates of {chapter} is taken";
    what_becomes_of_trial_chapters = "what to do with the trial chapters";
    plan_of(volume) = "the plan of {volume}";
    changes_of_rules_contracts(what) = "the changes to {what} (rules, contracts)";
    whether_to_clean_state_up_after(volume) = "whether to clean up the state after {volume}";
    how_to_go_on_after_is(volume, advice) = "how to continue after {volume} (recommended: {advice})";
    correct_then_novel_status(path) = "fix {path}, then novel status";
    correct_or_drop_change_git_restore(path) = "fix {path}, or discard the change: git restore :/{path}";

    // Subjects of commits.
    subject_review(volume) = "review {volume}";
    subject_state_kept(volume) = "keep {volume}'s state as it is";
    subject_undo(of) = "undo: {of}";
    subject_redo(of) = "redo: {of}";
    subject_restore(of) = "restore: {of}";
    subject_init_untitled = "init: a new book";
    subject_init(title) = "init: {title}";
    subject_rollback(place) = "rollback: {place}";
    subject_theme(theme) = "theme: {theme}";
    subject_characters(names) = "characters: {names}";
    subject_retire(name) = "retire: {name}";
    subject_research(names) = "research: {names}";
    subject_adopt(line) = "adopt: {line}";
    subject_branch(line) = "branch: {line}";
    subject_hand_edit(paths) = "hand edit: {paths}";
    subject_remove(chapters) = "remove: {chapters}";
    subject_set_aside(paths) = "set aside: {paths}";
    subject_waive(findings) = "waive: {findings}";
    subject_waive_no_longer(findings) = "waiver removed: {findings}";
    subject_config(setting) = "config: {setting}";
    subject_world(what) = "world: {what}";
    subject_rules(rules) = "{rules} rule(s)";
    subject_pages(pages) = "{pages} page(s)";
    subject_storyline(name) = "storyline: {name}";
    subject_storyline_turned(name, status, is) = "storyline: {name}, {status}";
    subject_style_deferred = "style: to be extracted from the first chapter";
    subject_style_own = "style: the author's own";
    subject_style_phrases(n) = "style: {n} phrase(s) that your edits take out";
    subject_style_own_from(name) = "style: the author's own, from {name}";
    remark_planned(chapters) = "{chapters} chapter(s) planned";
    remark_rests_on(chapter, what) = "- {chapter} rests on what has changed: {what}";
    remark_more(n) = "- and {n} more";
    remark_wording_alone(chapter) = "- {chapter}: wording alone";
    remark_summarized_again(chapter) = "- {chapter}: summarized again";
    remark_notation = "Their notation has changed, and nothing of their content.";
    remark_fewer(path, n) = "- {path}: {n} fewer";
    remark_style_moved(corrections) = "The style has moved away:\n- {corrections}";
    remark_style_back = "The style is back, and the corrections go.";
    remark_listed(phrase) = "- joins the house list: {phrase}";
    subject_style_from(name) = "style: extracted from {name}";
    subject_style_after(name) = "style: after {name}";
    subject_style(name) = "style: {name}";
    subject_trial_stays = "start: the trial chapters stay";
    subject_trial_aside = "start: the trial chapters are put aside";
    subject_trial_aside_style(name) = "start: the trial chapters are put aside, style {name}";
    subject_another_idea = "start: another subject";
    subject_next_volume = "start: on to the next volume";
    subject_ends_with(volume) = "start: the book ends with {volume}, which is planned next";
    subject_characters_none = "characters: nobody new";
    note_nobody_new = "nobody new";
    subject_ended(volume) = "the book ends with {volume}";
    subject_chapter(chapter, title) = "{chapter}: {title}";
    subject_restore_files(paths, commit) = "restore: {paths} as of {commit}";
    subject_salvaged = "staging: files that were nowhere else";
    subject_staged_only = "staged by the author and changed again";
    subject_begun(work) = "{work} begun";
    subject_begun_again(chapter, wish) = "{chapter} begun again: {wish}";
    subject_draft_edited(work) = "{work}: edited by hand";
    subject_result(work, name, note) = "{work} {name}: {note}";
    subject_result_alone(name, note) = "{name}: {note}";
    subject_place_plan(volume) = "plan {volume}";
    note_directives(n) = "{n} directive(s)";
    note_schedule(theme, lines, threads) = "{theme}, {lines} storyline(s), {threads} plot thread(s)";
    note_sections(first, last, range) = "chapters {first} to {last}";
    note_sections_of(volume, chapters) = "{volume} chapters {chapters}";
    note_fields(n) = "{n} field(s)";
    note_fields_of(n, first, last, range) = "{n} field(s) of chapters {first} to {last}";
    note_flaws(n) = "{n} flaw(s)";
    note_chapters(n) = "{n} chapter(s)";
    note_contracts(n) = "{n} contract(s)";
    note_migrated = "in the present notation";
    note_storylines_run = "its storylines run";
    note_reworded(chapter) = "{chapter} reworded";
    note_summarised(chapter, n) = "{chapter} with {n} operation(s)";
    note_replayed = "state and ledger replayed";
    note_repair(note) = "{note} (repair)";
    note_operations(n) = "{n} operation(s)";
    note_scenes(n) = "{n} scene(s)";
    note_no_edits = "no edits";
    note_edits(n, percent) = "{n} edit(s), {percent} % changed";
    note_report(overall, violations) = "{overall}, {violations} violation(s)";
    note_not_a_reading = ", not a reading";
    note_unchecked(unchecked) = ", {unchecked} rule(s) not checked";
    note_unproven(unproven) = ", {unproven} unproven";
    note_beginning(stage, n) = "{stage}, the first {n} words";
    note_before(why) = "the text before, because {why}";
    note_back_to(scene) = "to scene {scene}";
    note_wait_for_author = "wait for the author";
    note_mend = "mend what the wish names";
    note_fault(of, why) = "{of}: {why}";
    note_outdated(stage, note) = "{stage}: {note}, of a text that has been changed since";
    subject_quality(first, last, range) = "quality: {first} to {last}";
    subject_quality_mean(mean) = ", mean {mean}";
    subject_quality_helped(helped) = ", {helped} revised or decided by the author";
    subject_rebuild_repair = "rebuild: put right from history";
    subject_rebuild_derived = "rebuild: what follows from the chapters";
    subject_rebuild(chapters) = "rebuild: {chapters}";
    subject_formats(files) = "formats: {files} file(s) in the present notation";
    subject_sync_join(remote) = "sync: join the line of {remote}";
    subject_sync_forward(commit) = "sync: forward to {commit}";
    subject_regenerate(what, n) = "regenerate: what {what} touches, {n} in all";
    subject_plan(volume, theme, first, last, range) = "plan {volume}: {theme}, chapters {first} to {last}";
    subject_clean_up(volume, n) = "clean up {volume}: {n} entries leave the state";

    // Looking: history.
    nothing_matches = "No matching entries.\n";
    column_commit = "commit";
    column_when = "when";
    column_kind = "kind";
    column_what = "what";
    column_gate = "gate";
    column_cost = "cost";

    // Looking: novel show.
    draft_of_has_no_stage(chapter, stage) = "the draft of {chapter} has no stage `{stage}`";
    novel_show_log_lists_what_was(chapter) = "`novel show {chapter} --log` lists what was done";
    there_are_no_recorded_calls_of(of) = "no recorded calls for {of}";
    call_of_cannot_be_read(name, of) = "cannot read the call {name} of {of}";
    show_system_prompt = "system";
    show_prompt = "prompt";
    show_reply = "reply";
    show_no_reply = "no reply";
    show_text_so_far = "text so far";
    show_commit(commit, time, kind, author) =
        "commit  {commit}\ntime    {time}\nkind    {kind}\nauthor  {author}\n\n";
    show_section(heading, text) = "\n── {heading} ──\n{text}\n";
    show_tokens_in_cached_tokens_out(time, tries, sent, cached, got, cost, attempts) =
        "{time}, {tries}, {sent} tokens in ({cached} cached), {got} tokens out, {cost}\n";

    // Looking: differences.
    diff_uncommitted(chapter) = "{chapter} (uncommitted)";
    diff_words(old, new, was, is) = "{old} → {new}  {was} → {is} characters";
    text_is_unchanged = "The text is unchanged.\n";
    diff_paragraph_to(to) = "paragraph {to}";
    diff_paragraph_from_to(from, to) = "paragraph {from} → {to}";
    diff_old_new(old, new, count, n) = "{old} → {new}  {count}";
    stage_wants_chapter = "--stage requires a chapter";
    there_is_no_commit(name) = "no such commit: `{name}`";
    there_is_no_commit_before_it = "there is no commit before it";
    has_no_earlier_version_and_no(chapter) = "{chapter} has neither an earlier version nor a previous chapter";

    // Looking: facts.
    facts_name(name) = " ({name})";
    only_people_agree = " (only the characters match)";
    no_sentence_of_text_says_so = "no sentence in the text says so";
    facts_author_subject(author, subject) = "{author}: {subject}";
    facts_agent_model(agent, model) = "{agent} ({model})";
    noted_by_text_by(noted, written) = "recorded by the {noted}, text by the {written}";
    facts_kind_author(kind, author) = "{kind}, {author}";
    earlier_changes_n(earlier, total) = "earlier changes: {earlier} (show all: -n {total})";
    facts_below(below) = "{below}: ";
    there_is_no_such_value_any = "this value no longer exists";
    empty = "(empty)";
    clause_semicolon = "; ";
    facts_status_detail(status, detail) = "{status}: {detail}";
    gone = "(removed)";
    facts_id_status(id, status, scope) = "{id}  {status} ({scope})\n";
    to_be_resolved_from_to(from, to) = "  to be resolved between {from} and {to}\n";
    there_is_no_at(fact, chapter) = "`{fact}` does not exist at {chapter}";
    there_is_no_before_first_chapter(fact) = "`{fact}` does not exist before the first chapter";
    novel_history_lists_its_changes(fact) = "`novel history {fact}` lists its changes";
    earlier_chapter_has_been_written_again(fact, commit) =
        "an earlier chapter has been rewritten since; this follows the current text. As committed then: `novel state {fact}@{commit}`";
    there_is_no_any_more_novel(fact) = "`{fact}` no longer exists: `novel history {fact}` lists its changes";

    // Looking: foreshadowing.
    foreshadow_core(scope) = "core, {scope}";
    ordinary = "ordinary";
    open_of_them_core(open, core) = "{open} open, {core} of them core";
    foreshadow_n_name(n, name) = "; {n} {name}";
    foreshadow_resolved(resolved) = "; {resolved} resolved";
    all_lists_them = " (--all lists them)";
    foreshadow_next = "next:";
    irregular = "irregular:";
    more_json_lists_all(left) = "{left} more; --json lists all";
    foreshadow_id_standing(id, standing, sort) = "{id}  {standing} ({sort})\n";
    foreshadow_storyline(storyline) = "  storyline {storyline}";
    to_be_resolved_in(range) = "; to be resolved in ch {range}";
    planned = " (planned)";
    foreshadow_chapter_wanted(chapter, wanted, reason) = "{chapter}  {wanted}: {reason}\n";
    proposed(verb) = "{verb} (proposed)";
    its_window_ended_with_chapter(to) = "its window ended with chapter {to}";
    last_chapter_of_its_window = "the last chapter of its window";
    should_have_planted_it_and_ledger(at) = "{at} should have planted it, but the ledger has no record of it";
    to_be_resolved_by_chapter_and(to) = "to be resolved by chapter {to}, but no chapter plans to";
    has_not_touched_it_and_does(volume) = "{volume} has not touched it and has no plans to";
    chapters_have_not_touched_it(n) = "untouched for {n} chapters";
    in_plan = "in the plan";
    sentences_detail_why(detail, why) = "{detail}; {why}";
    proposals_are_in_no_outline_to(volume) =
        "proposals are not in the outline: to adopt one, add it to the 伏笔 field of its chapter in volumes/{volume}/outline.md; the writer sees the proposals for its own storyline";
    no_foreshadowing_to_list_write_old =
        "No plot threads to list. Write `埋设 old_map：…` in a chapter's 伏笔 field in the outline, or let `novel plan make` plan some.\n";
    no_open_foreshadowing = "no open plot threads; --all lists the resolved ones\n";
    none_open = "none open";
    is_in_and_planted_in_novel(id, does, chapter, planted) =
        "`{id}` is {does} in {chapter} but planted only in {planted}: `novel foreshadow {id}` shows each step; fix the chapter in foreshadowing/global.json, or the text with `novel write {chapter} --force`";
    plants_it(planted) = "it is planted only in {planted}";
    no_chapter_plants_it = "no chapter plants it";
    is_to_and_put_into_outline(chapter, verb, id, when) =
        "{chapter} is to {verb} `{id}`, but {when}: add `埋设 {id}：…` to the outline of an earlier chapter";
    should_have_planted_and_ledger_does(chapter, id) =
        "{chapter} should have planted `{id}`, but the ledger has no record of it: if the text plants it, record it in foreshadowing/global.json; otherwise rewrite the chapter with `novel write {chapter} --force`, or plant it in the outline of a later chapter";
    is_resolved_in_outside_of_chapters(id, chapter, range) =
        "`{id}` is resolved in {chapter}, outside its window of ch {range}: if it reads badly, rewrite it with `novel write {chapter} --force`; otherwise leave it";
    is_to_resolve_outside_of_chapters(chapter, id, range) =
        "{chapter} is to resolve `{id}` outside its window of ch {range}: move the step in the outline, or change the window in foreshadowing/global.json and the volume's foreshadowing.json";
    was_planted_in_and_is_in(id, chapter) =
        "`{id}` was planted in {chapter} but is in no outline or plan: add `推进 {id}：…` or `回收 {id}：…` to the outline of a later chapter";
    and_have_same_description_if_they(id, other) =
        "`{id}` and `{other}` have the same description: if they are the same thread, use only `{id}` in outlines and remove `{other}` from foreshadowing/global.json; otherwise give them different descriptions there";
    is_last_completed_one_to_its(last) = "| {last} is the last written chapter; everything to its right is planned";
    no_chapter_is_written_all_of = "no chapter is written yet; everything is planned";
    o_planted_advanced_x_resolved_window(present) = "o planted  + advanced  x resolved  = window  > window continues  - open  {present}";
    column_id = "id";
    foreshadow_column_subject = "subject";
    foreshadow_column_planted = "planted";
    foreshadow_column_touched = "touched";
    foreshadow_column_window = "window";
    foreshadow_column_next = "next";
    foreshadow_column_standing = "standing";

    // Looking: search.
    summary = "summary";
    chapters_by_meaning_mem0_server_at(server) = "semantic search by the Mem0 server at {server}";
    whole_chapter(command) = "full chapter: {command}\n";
    no_place_has_these_very_words = "no exact match; these are the closest";
    no_place_read_has_these_very_words = "no exact match among the closest (a larger --limit looks further)";
    with_these_very_words(all) = "exact matches: {all}";
    with_these_very_words_at_least(all, shown) =
        "exact matches: at least {all}, shown: {shown} (a larger --limit finds more)";
    with_these_very_words_shown_limit(all, shown) = "exact matches: {all}, shown: {shown} (--limit {all} lists all)";
    has_no_letters(typed) = "`{typed}` contains nothing to search for";
    nothing_like_there(typed) = "no matches for `{typed}` there";
    nothing_like_in_accepted_chapters_summaries(typed) =
        "no matches for `{typed}` in accepted chapters, summaries, world, characters and research";

    // Looking: prompts.
    about_of_tokens(sent, budget) = "about {sent} of {budget} tokens";
    too_many(sums) = "{sums}: over the limit";
    context_chapter_agent(chapter, agent) = "{chapter} · {agent}";
    left_out(left) = "omitted: {left}";
    system_prompt = "system prompt";
    user_prompt = "user prompt";
    first_are_same_for_next_chapter(share) = "the first {share} is identical in the next chapter's prompt";
    changes_that_are_not_committed_are_not_in(list) =
        "uncommitted changes are not included yet; `novel continue` commits them first: {list}";

    // Looking: cost.
    cost_chapter = "chapter";
    stage = "stage";
    model = "model";
    cost_volume = "volume";
    total = "total";
    cost_all_has_a_row_for_each = "Earlier rows are summed up in one; each of them: novel cost --all";
    not_in_it_of_unknown_price(calls, n) =
        "Not included: {calls} of unknown price; point `prices` in your settings to a price list.";
    tokens_are_estimated_for(calls, n) = "Token counts are estimated for {calls}.";
    cost_of_plan(volume) = "plan of {volume}";
    cost_of_review(volume) = "review of {volume}";
    cost_column_calls = "calls";
    cost_column_tokens_in = "tokens in";
    cost_column_cached = "cached";
    cost_column_tokens_out = "tokens out";

    // Looking: figures.
    metrics_not_checked = "not checked";
    metrics_not_read = "placeholder";
    writers_context_at(chapter) = "writer's context at {chapter}";
    untitled = "untitled";
    metrics_title(title) = "{title}";
    metrics_volume(volume) = "volume {volume} · ";
    metrics_words(title, part, chapters, words, n) = "{title}  {part}{chapters}, {words} characters\n\n";
    same_for_every_chapter = "nearly the same for every chapter";
    this_judge_does_not_judge_try =
        "  this judge is not really judging: try a stronger model (novel config set agents.judge)\n";
    judge_does_not_tell_chapters_apart = "  the judge does not tell chapters apart in the marked dimensions\n";
    gate_share(name, count, share) = "{name} {count} ({share})";
    gate(list) = "\ngate: {list}\n";
    planned_foreshadowings = "planned plot threads";
    metrics_column_resolved = "resolved";
    due_in(range) = "ch {range}";
    not_planted = "not planted";
    ahead = "upcoming";
    metrics_overdue = "overdue";
    metrics_open = "open";
    metrics_not_listed(n, others) = "{others} not listed; all of them: novel metrics --all";
    planned_meetings_of_lines = "planned crossovers";
    as_planned = "as planned";
    metrics_hook_missed = "missed";
    metrics_chapters(range) = "ch {range}";
    unknown = "unknown";
    met = "met";
    metrics_target_missed = "missed";
    no_chapter_of_is_written_yet(volume) = "no chapter of {volume} has been written yet";
    no_chapter_is_written_yet = "no chapter has been written yet";
    metrics_column_figure = "figure";
    metrics_column_value = "value";
    metrics_column_target = "target";
    metrics_column_over = "samples";
    metrics_column_scores = "scores";
    metrics_column_mean = "mean";
    metrics_column_spread = "spread";
    column_style = "style";
    metrics_column_all = "all";
    metrics_column_last_five = "last five";
    column_books_by_people = "human-written books";

    // Looking: quality.
    revised_text = "revision";
    revised_or_decided_by_you(chapters, n) = "{chapters} revised, or decided by you";
    of_hard_rules(violations, n) = "{violations} of hard rules";
    added_to_house_list(list) = "added to the house list: {list}";
    quality_chapters(range) = "ch {range}";
    quality_open_threads(count) = "plot threads  {count} open (to view: novel foreshadow)";
    quality_threads_of(name, list) = "{name}: {list}";
    quality_brief_to_see_it_novel(brief) = "quality brief  {brief} (to view: novel review --quality)";
    quality_brief_of(range) = "Quality brief  ch {range}";
    changed_since_chapters(list) = "changed since: ch {list}";
    other_briefs = "Other briefs";
    scores_are_placeholders_no_mean = "placeholder scores, no mean";
    mean_five_before(mean, before) = "mean {mean} (previous five: {before})";
    mean(mean) = "mean {mean}";
    quality_chapter(by) = ", {by:+.2} per chapter";
    high = "high";
    low = "low";
    stock_beats_in_these_five(list) = "stock beats in these five chapters: {list}";
    has_characters_of(chapter, letters, earlier, words) =
        "{chapter} repeats {letters} characters of {earlier}: “{words}…”";
    worn_out_and_repeated = "Worn out and repeated";
    asks(chapter, asked) = "{chapter} asks: {asked}";
    what_reader_waits_for = "Awaited by the reader";
    quality_chapters_in_row_end_with_times_hook(times, hook, list) =
        "{times} chapters in a row end with {hook} ({list})";
    chapters_in_row_are(times, kind, list) = "{times} {kind} chapters in a row ({list})";
    chapters_in_row_pay_nothing_off(times, list) = "{times} chapters in a row without a payoff ({list})";
    asks_and_more_chapters_of_have(chapter, question, later, storyline) =
        "{chapter} asks “{question}”, still unanswered after {later} more chapter(s) of {storyline}";
    quality_times(words, times, list) = "“{words}” {times}× ({list})";
    sentences_begin_with(times, words) = "{times} sentences begin with “{words}”";
    chapters_that_begin_with(words, list) = "chapters that begin with “{words}”: {list}";
    chapters_that_end_with(words, list) = "chapters that end with “{words}”: {list}";
    chapters_in_row_begin_with(times, shape, list) = "{times} chapters in a row begin with {shape} ({list})";
    quality_chapters_in_row_end_with_times_shape(times, shape, list) =
        "{times} chapters in a row end with {shape} ({list})";
    quality_ch_list(list) = "ch {list}";
    earlier_and_chapters(list) = "earlier, and ch {list}";
    compared_once_ten_chapters_lie_before = "  available once there are ten earlier chapters";
    has_style_moved = "Has the style drifted?";
    distance_of_function_characters_and_marks(delta, from, to, level) =
        "  distance in function words and punctuation {delta:.2}; among chapters {from} to {to} at most {level:.2}\n";
    it_has_not = "it has not";
    style_has_moved_corrections_are_in = "style has drifted, corrections are in style-drift.json";
    style_is_back_corrections_are_gone = "style has recovered, corrections are removed";
    style_has_moved_your_style_drift = "style has drifted, your style-drift.json is kept";
    style_has_not_moved_your_style = "style has not drifted, your style-drift.json is kept";
    style_has_moved_you_have_taken = "style has drifted, but you removed the corrections";
    function_characters_and_marks = "function words and punctuation";
    is_unlike_chapters_before_in_style(list) =
        "differs in style from earlier chapters ({list}); corrections for the next ones are in style-drift.json (to view: novel review --quality)";
    quality_column_chapter = "chapter";
    quality_column_revisions = "revisions";
    quality_column_listed = "listed/1,000";
    quality_column_recycled = "recycled";
    quality_column_violations = "violations";
    quality_column_these_five = "these five";
    quality_column_before = "before";
    quality_above_your_own = "above your own";
    quality_below_your_own = "below your own";

    // Looking: voices.
    no_line_with_known_speaker_yet = "no dialogue with a known speaker yet\n";
    chapters_lines_with_known_speaker(range, all, attributed) =
        "ch {range}: {all} lines of dialogue, {attributed} with a known speaker\n\n";
    columns_gap = ", ";
    in_of_lines(name, words, times, lines) = "{name}: “{words}” in {times} of {lines} line(s)";
    of_lines_begin_with(name, times, lines, words) = "{name}: {times} of {lines} lines begin with “{words}”";
    of_lines_end_with(name, times, lines, words) = "{name}: {times} of {lines} lines end with “{words}”";
    habits_that_come_too_often = "verbal tics used too often";
    fewer_than_two_people_have_lines(n) = "fewer than two characters have {n} lines, so voices were not compared";
    with_names_covered_all_who_have = "with the names hidden, all characters with enough lines can be told apart";
    cannot_be_told_apart_with_names = "indistinguishable with the names hidden";
    and(one, other) = "{one} and {other}";
    voices_column_lines = "lines";
    voices_column_length = "length";
    voices_column_questions = "questions";
    voices_column_catch_phrases = "catch phrases";
    voices_column_final_particles = "final particles";

    // Looking: judges.
    can_be_trusted = "can be trusted";
    cannot_be_trusted_throughout = "cannot be fully trusted";
    judge(model, verdict) = "the judge {model} {verdict}\n\n";
    flaw_has_to_cost_points_and(drop, spread) =
        "\na flaw must lower the score by at least {drop} points, and readings of one text may differ by at most {spread}; the worst text counts";
    readings_gave_no_report_that_can(n) = "readings without a usable report: {n}\n";
    scores_of_dimensions_marked_above_mean(command) =
        "scores in the marked dimensions mean little; try another judge: {command}\n";
    calibration_unknown_cost = "unknown cost";
    book_is_as_it_was_replies(readings, cost, kept, n) = "{readings}, {cost}; book unchanged, replies kept in {kept}";
    calibration_not_read = "not read";
    blind_and_unsteady = "misses the flaw, inconsistent";
    blind_to_flaw = "misses the flaw";
    unsteady = "inconsistent";
    calibration_column_dimension = "dimension";
    calibration_column_drop_at_planted_flaw = "drop at planted flaw";
    calibration_column_spread_of_one_text = "spread within one text";
    offline_writers_judge_reads_nothing_so = "the offline judge does not read texts, so there is nothing to calibrate";
    set_up_model_first_novel_config = "set up a model first: `novel config set provider NAME`";
    is_to_read_texts_about_go(model, n, money) = "Let {model} read {n} texts, for about {money}?";
    is_to_read_texts_at_unknown(model, n) = "Let {model} read {n} texts, at an unknown price?";

    // Checking: contradictions.
    consistency_waived(waived) = ", {waived} waived";
    chapters_examined_nothing_contradicts(examined, waived) =
        "{examined} chapter(s) checked; nothing contradicts the records{waived}\n";
    no_chapters_to_check = "no chapters to check\n";
    consistency_not_listed(n, others) =
        "{others} findings not listed; all of them: novel check --all, or some chapters: novel check FIRST LAST";
    chapters_examined_in_conflict_doubtful(examined, conflicts, doubts, waived) =
        "\n{examined} chapter(s) checked; {conflicts} in conflict, {doubts} doubtful{waived}\n";
    correct_text_then_novel_rebuild_have(chapter, doubts, id) =
        "fix the text, then `novel rebuild {chapter}`; or have it revised: `novel revision make {chapter} {chapter}{doubts}`; if the record is wrong, fix state/current-state.json\nif it is intentional: `novel waive {id} --reason TEXT`\n";
    conflict = "conflict";
    doubt = "doubt";
    opening_quote = "“";
    closing_quote = "”";
    person_is_dead(person, record) = "{person} is dead (on record: {record}) but speaks or acts here";
    person_has_left(person) = "{person} has left the story but speaks or acts here";
    person_is_of_other_line(person, line) =
        "{person} belongs to the storyline “{line}”, and the plan of this chapter does not name them";
    item_has_two_owners(item, one, other) = "“{item}” is in the hands of {one} and of {other}";
    item_is_held_by_other(person, item, owner) = "{person} brings out “{item}”, which {owner} holds on record";
    item_is_gone(person, item) = "{person} brings out “{item}”, which is gone on record";
    age_differs(person, was, since, is) = "{person} is {was} years old in {since} and {is} here";
    time_runs_backwards(since, was, is) = "time runs backwards: {since} is on “{was}”, this chapter on “{is}”";
    place_differs(person, was, is) =
        "{person} is at “{was}” on record and at “{is}” here, and nothing tells of the way";
    count_differs(item, recorded, is) = "“{item}”: {recorded} on record, {is} here";
    figure_differs(entity, measure, was, since, is) = "{entity}: {measure} “{was}” in {since} and “{is}” here";
    task_is_not_recorded(id, action) =
        "the contract has the chapter {action} `{id}`, but the records do not have it";
    form_is_slip(form, meant) = "“{form}” looks like a slip for “{meant}”";
    quotes_differ(usual, odd) = "quotation marks of two styles: {usual} of one, {odd} of the other";
    title_is_like(chapter, title) = "the title is too like that of {chapter}, “{title}”";
    figure_level = "level";
    figure_grade(unit) = "grade ({unit})";
    figure_weight = "weight";
    figure_width = "width";
    figure_length = "length";
    figure_depth = "depth";
    figure_thickness = "thickness";
    figure_extent = "extent";
    figure_diameter = "diameter";
    figure_height = "height";
    figure_way(place) = "the way to {place}";
    figure_money(kind) = "money ({kind})";
    figure_post = "post";
    changes_that_are_not_committed_are_not(list) = "uncommitted changes are not checked: {list}";

    // Checking: waivers.
    novel_waive_id_reason_text = "novel waive ID --reason TEXT";
    nothing_is_waived_finding_of_novel(command) =
        "nothing is waived; to waive an intentional finding of `novel check` or the judge: {command}\n";
    to_take_one_back(command) = "to revoke one: {command}\n";
    waived_already_for_same_reason = "already waived, for the same reason";

    // Checking: revisions.
    revision_waits_for_you_score(chapter, title, score) =
        "{chapter} {title}: a revision awaits your decision, score {score}";
    to_be_changed(wish) = "to change: {wish}";
    revision_of_passage(quotation, line) = "“{quotation}”: {line}";
    revision_changes_nothing_else = "nothing else in the chapter changes";
    fix_dead(person) = "{person} cannot be there; give the words and deeds to someone who is, or tell them as a memory";
    fix_retired(person) = "{person} has left the story; give the words and deeds to someone who is there, or tell them as a memory";
    fix_leak(person) = "nobody in this chapter may mention {person}; take the name out, or name someone of this storyline";
    fix_two_owners(item) = "there is only one {item}; say who holds it and how it got there";
    fix_held_by_other(person, item, owner) =
        "{owner} holds {item}; give {person} something that is really at hand, or tell how {person} got it";
    fix_item_is_gone(person, item) = "{item} is gone; give {person} something that is really at hand";
    fix_place(person, was, is) = "say how {person} got from {was} to {is}, or change the place back to {was}";
    fix_count(recorded) = "change it to {recorded}, as recorded, or tell where the rest came from or went";
    fix_figure(was) = "correct it to “{was}”, as before, or tell what changed it";
    fix_task(id, action) = "write the passage that is to {action} `{id}`";
    fix_age(was) = "correct the age, counted from {was} before";
    fix_date(was) = "correct the time, which cannot be before {was}";
    fix_variant(meant) = "write “{meant}” throughout";
    take_it_put_it_aside_chapter(accept, reject) =
        "  {accept}  accept it\n  {reject}  put it aside; the chapter stays unchanged\n";
    revised_and_in_book_chapters(list) = "revised and accepted: ch {list}\n";
    revisions_that_wait_for_you_chapters(list) = "revisions awaiting your decision: ch {list}\n";
    nothing_to_revise_novel_check_shows = "nothing to revise (novel check lists all findings)\n";
    no_revision_waits(next) = "no revision awaits your decision; to see what contradicts the records: {next}\n";
    takes_revision_next_novel_continue_commits(chapter) =
        "{chapter} uses the revision; the next novel continue commits it\n";
    stays_as_it_is_revision_is(chapter) =
        "{chapter} is unchanged; the revision was put aside (novel restore brings it back)\n";

    // Checking: rebuilding.
    every_summary_and_delta_is_of = "all summaries and deltas match their chapters\n";
    rebuilt = "rebuilt";
    as_to_see_what_changed_git(done, commit) =
        "{done} ({commit}); to see what changed: git show {commit}; to undo: novel undo\n";
    text_mended_chapters(list) = "text revised: ch {list}\n";
    you_keep_taking_out_to_put(phrases, command) =
        "you keep removing {phrases}; to add that to the book's list: {command}\n";
    no_later_chapter_relies_on_what = "no later chapter is affected\n";
    these_later_chapters_rely_on_what = "affected later chapters";
    these_later_chapters_may_be_affected = "later chapters that may be affected";
    and_more_json_lists_all(more) = "  … and {more} more (--json lists all)\n";
    to_bring_these_chapters_in_line(command) =
        "to update these chapters: {command}, or edit them yourself and run novel rebuild again\n";
    to_summarise_chapters_that_do_not_mention(command) =
        "for chapters whose text does not mention the change, a new summary is enough: {command}\n";
    left_until_decision =
        "left as it is: the chapter before it waits for your decision; after that, novel rebuild --revise";
    left_since_not_mentioned = "left as it is: its text does not mention the change";
    summarise_these_chapters_replay_state = "summarize these chapters, replay the state";
    and_summarise_chapters_that_rely_on = "also summarize the affected chapters";
    and_mend_their_text = "also revise their text";
    nothing_was_written = "nothing was written\n";
    rebuild_path_reason(path, reason) = "{path}: {reason}";
    rebuild_nothing = "nothing";
    rebuild_path_was(path, was, is) = "{path}: {was} → {is}";
    still_has(words) = "still contains “{words}”";
    edited = "edited";
    not_summarised_yet = "not summarized yet";
    its_state_changes_were_unreadable = "its delta was unreadable";
    asked_for = "requested";
    wording_alone_its_summary_stands_no = "wording only: the summary is kept, no call";
    summarised_again_done = "summarized again";
    summarised_again_due = "to be summarized again";
    rebuild_and_more(more) = "          … and {more} more\n";

    // Checking: novel doctor.
    repaired = "repaired";
    problem = "problem";
    doctor_warning = "warning";
    note = "note";
    repair(repair) = "repair: {repair}";
    doctor_not_listed(kinds) = "not listed, of the same kinds: {kinds}; all of them: novel doctor --all";
    all_is_well(list, n) = "no problems found; checked: {list}";
    doctor_next(next) = "next: {next}\n";
    is_out_of_book(named) = "{named} removed from the book";
    locks_or_damaged_objects_will_be = "Locks or damaged objects will be moved aside, never deleted. Continue?";
    is_now(from, to) = "{from} is now {to}";
    examined_repository = "the repository";
    examined_formats = "formats";
    examined_numbering = "numbering";
    examined_state = "state replay";
    examined_provider = "the provider";
    examined_memory_server = "the Mem0 server";
    restored_commit(commit) = " ({commit})";
    missing_or_damaged_restored_from_history(by, restored) =
        "missing or damaged, restored from history{by}: {restored}";
    converted_to_utf(changed) = "converted to UTF-8: {changed}";
    old_bytes_are_kept_git_show(kept, path) = "the original is kept: git show {kept}:{path}";

    // Checking: findings in files.
    bring_last_whole_version_back_from = "restore the last intact version from history";
    content_path_error(path, error) = "{path}: {error}";
    is_deleted(path) = "{path} is deleted";
    put_it_back_from_last_commit = "restore it from the last commit";
    last_commit_lacks_has_it(path, commit) = "{path} is missing from the last commit ({commit} has it)";
    to_bring_it_back_novel_doctor_repair_yes = "to restore it: novel doctor --repair --yes";
    lacks(chapter, path) = "{chapter} is missing {path}";
    is_missing_from_book_if_that(chapter) =
        "{chapter} is missing from the book (if intentional: novel doctor --remove {chapter})";
    was_missing_from_book(chapter) = "{chapter} was missing from the book";
    has_no_summary_and_no_delta(chapter) = "{chapter} has no summary or delta yet: the state does not include it";
    has_been_edited_and_its_summary(chapter) =
        "{chapter} was edited, but its summary and delta describe the older text: novel rebuild";
    and_have_same_title(a, b) = "{a} and {b} have the same title";
    and_have_same_text(a, b) = "{a} and {b} have the same text";
    to_bring_back_text_before(chapter) = "bring the text back that {chapter} had before: novel doctor --repair --yes";
    content_did_you_mean(nearest) = " (did you mean `{nearest}`?)";
    chapters_on_unknown_line(list, line, nearest) =
        "ch {list}: the storyline `{line}` is not defined{nearest}: correct the outline, or define it with `novel storyline add`";
    several_have_name(name, files) = "several people have the name `{name}`: change it in one of {files}";
    stray_copy_of(path, of) = "{path} is no file of the book: compare it with {of}, take over what you need, and delete it";
    stray_copy_alone(path) = "{path} is no file of the book: take over what you need, and delete it";
    stray_text(path) = "{path} is no file of the book: give it the file name of a chapter, or move it out of chapters/";
    stray_in_git(path) = "{path} is a copy among git's own files: delete it";
    from_on_is_not_what_replaying(chapter, path) = "from {chapter} on, {path} does not match a replay of the chapters";
    is_not_what_replaying_chapters_gives(path) = "{path} does not match a replay of the chapters";
    make_it_what_replay_gives = "rebuild it by replaying the chapters";
    checkpoint_says_that_chapters_end_with(recorded, says, count, is) =
        "the checkpoint ends with chapter {says} ({recorded} in all), but the book ends with chapter {is} ({count} in all)";
    checkpoint_records_other_count(recorded, count) =
        "the checkpoint records {recorded} chapter(s), the book has {count}";
    derive_it_from_chapters = "regenerate it from the chapters";
    change_that_is_not_committed_you(path, error) =
        "{path}: {error} (an uncommitted change; you can also fix it yourself)";
    keep_it_aside_and_go_back = "keep a copy and restore the last good version";
    convert_it_to_utf = "convert it to UTF-8 and keep the original";
    put_real_thing_there_and_keep =
        "put a real file or folder there and keep the old one next to it: novel doctor --repair --yes";

    // Checking: findings in the repository.
    needed_for_history = "a commit of the book";
    needed_for_folder(path, commit) = "folder `{path}` of {commit}";
    needed_for_file(path, commit) = "`{path}` of {commit}";
    object_fault_empty = "it is empty";
    object_fault_garbled = "it is cut short or garbled";
    object_fault_no_header = "it has no header";
    object_fault_other_size = "it has another size than it says";
    object_fault_other_content = "it has other content than its name says";
    unfinished_transaction = "a transaction";
    unfinished_draft = "the draft of an accepted chapter";
    object_is_damaged(id, why) = "the object {id} is damaged: {why}";
    is_damaged(name, why) = "{name} is damaged: {why}";
    put_it_aside_keep_what_is =
        "move it aside, keep its intact objects, and recover the rest from the working tree or a remote";
    object_is_missing(id, needed_for) = "the object {id} is missing ({needed_for})";
    take_it_from_work_tree_draft = "recover it from the working tree, a draft or a remote";
    put_it_aside_make_sure_no = "move it aside (make sure no other git is running)";
    tag_is_wrong(name) = "the tag {name} points to the wrong commit";
    make_tags_what_commits_say = "recreate the tags from the commits";
    gits_setting_should_be(name, should) = "the git setting {name} should be {should}";
    set_it = "set it";
    staging_is_not_ignored_by_git = "staging/ is not ignored by git";
    write_it_to_git_info_exclude = "add it to .git/info/exclude";
    staging_differs_from_draft =
        "staging/ does not show the draft as it is: a command was interrupted, or git has changed the draft or the folder";
    interrupted_command_left_something_to_finish(what) = "an interrupted command left work unfinished: {what}";
    finish_it_so_does_next_command = "finish it (the next command that writes does so too)";
    finding_left_out(path) =
        "a sparse checkout leaves out files that the book changes, such as `{path}`; to bring them back: `git sparse-checkout disable`";
    index_entry_is_null(path) =
        "the git index has an entry of zeros for `{path}`, with which git can neither add nor commit";
    take_entry_from_last_commit = "replace it with the entry of the last commit, if any; files are not touched";
    gits_index_is_missing_or_cannot = "the git index is missing or unreadable";
    make_it_again_from_last_commit = "rebuild it from the last commit; files are not touched";
    put_it_aside_and_take_object = "move it aside and recover the object from a pack, the working tree or a remote";
    branch_names_commit_which_cannot_be(name, at) = "the branch {name} points to commit {at}, which cannot be read";
    take_it_from_remote_failing_that(commit) =
        "recover it from a remote; failing that, move the branch to the last intact commit, {commit}";
    take_it_from_remote = "recover it from a remote";
    interrupted_novel_has_left(path) = "an interrupted novel process left the lock {path}";
    lock_may_be_held_by_process(path, command, pid) = "the lock {path} may be held by `{command}` (process {pid})";
    lock_is_seconds_old_and_its(path, age) = "the lock {path} is {age}s old, and its git process may still be running";
    lock_is_there_seconds_old(path, age) = "the lock {path} exists and is {age}s old";
    git_of_yours_is_not_finished(command) =
        "your git {command} is unfinished: complete it with `git {command} --continue` or abandon it with `git {command} --abort`; nothing is repaired until then";
    repository_and_more(more) = " and {more} more";
    not_to_be_had_here_newest(named, commit, subject) =
        "cannot be recovered here: {named}; the newest intact commit is {commit} ({subject}), and no files in the folder were touched";
    not_to_be_had_here_no(named) =
        "cannot be recovered here: {named}; no commit is intact, and no files in the folder were touched";
    take_it_from_another_copy_or =
        "recover it from another copy or a backup: `git remote add backup PATH`, then novel doctor --repair";

    // Checking: findings at the provider.
    does_not_answer(provider, fault) = "{provider} does not respond: {fault}";
    check_network_proxy_and_address_novel =
        "check the network, proxy and address: `novel config`";
    provider_provider_fault(provider, fault) = "{provider}: {fault}";
    copy_key_from_providers_site_again_novel =
        "copy the key from the provider's site again: `novel config providers` shows its variable";
    answers_and_does_not_list_its(provider) = "{provider} responds but does not list its models";
    choose_another_novel_config_set_model = "choose another: `novel config set model NAME`";
    is_meant_novel_config_set_model(near) = "did you mean {near}? `novel config set model {near}`";
    has_no_model(provider, model) = "{provider} has no model {model}";

    // Checking: codes of findings.
    code_broken_object =
        "A git object file is damaged: its content does not match its name. The usual cause is a disk fault or a power cut.";
    code_broken_pack = "A git pack, or the index of a pack, is damaged.";
    code_missing_object = "The history of the book, or a ref, needs an object that is missing from `.git`.";
    code_lost_content =
        "Some objects cannot be found in a pack, the working tree, a draft or a remote; only a backup can have them.";
    code_lost_branch = "The branch of the book points to a commit that cannot be read.";
    code_stray_lock =
        "A git lock exists although the program that took it may be gone; until the lock is removed, git refuses to write.";
    code_wrong_tag = "A tag `ch-NNN` does not point to the commit that accepted its chapter.";
    code_wrong_setting = "A git setting that protects the book is missing or was changed.";
    code_not_excluded = "The folder of drafts, `staging/`, shows up in `git status`.";
    code_unfinished = "A command was interrupted after its commit, before its remaining steps were done.";
    code_in_progress =
        "Your merge, rebase or similar operation is unfinished; until it is finished, novel neither writes nor repairs.";
    code_left_out =
        "A sparse checkout leaves out files that chapters and plans change: nothing is written until `git sparse-checkout disable`. Only chapters that have been accepted may be left out.";
    code_null_entry =
        "The git index has an entry of zeros, with which `git add` and `git commit` fail; JGit (EGit) makes one when it adds a linked work tree.";
    code_bad_index = "The git index is missing or unreadable.";
    code_bad_file = "A file in the last commit does not follow its format: all or part of it is unusable.";
    code_broken_edit = "An uncommitted change makes a file unusable.";
    code_deleted = "A file that the book needs is missing from the folder; the last commit has it.";
    code_gone = "The last commit is missing a file that the book needs; an earlier commit has it.";
    code_in_the_way = "A file, folder or link is in the way of files that the book is about to write.";
    code_missing_file = "An accepted chapter is missing one of its files, such as its summary or its delta.";
    code_gap = "A chapter is missing between others, and no record says that this is intentional.";
    code_no_delta =
        "A chapter that you wrote yourself has no summary and no delta yet, so later chapters do not know what happens in it.";
    code_outdated =
        "A chapter was edited after it was summarized, so its summary, its delta and later chapters follow the older text.";
    code_same_title = "Two chapters have the same title.";
    code_same_text = "Two chapters have the same text; usually a pasting mistake.";
    code_same_name = "Several people have one name or nickname, so that commands and checks cannot tell who is meant.";
    code_unknown_storyline =
        "An outline or a chapter is on a storyline that storylines/storylines.json lacks; usually a slip of the pen.";
    code_stray_copy =
        "A copy that a sync program or a file manager left beside a file of the book, or a text with no chapter's file name; the program takes none of them up.";
    code_state_differs =
        "The state, the ledger of plot threads or a storyline's memory does not match a replay of the chapters.";
    code_checkpoint_differs = "The chapters recorded in the checkpoint are not those of the book.";
    code_provider_not_set_up =
        "A provider is selected, but its key, its model or another setting is missing or invalid, so writing would stop.";
    code_provider_silent = "The provider's address does not respond.";
    code_key_refused = "The provider rejects the key, or the account behind it.";
    code_models_not_listed = "The provider responds but does not list its models, so model names were not checked.";
    code_model_unknown = "The selected model is not among those that the provider lists.";
    code_memory_server =
        "A Mem0 server is set up, but it does not respond, rejects the key or is of an unsupported kind, so writing and searching would stop.";

    // Checking: git hooks.
    named_by_core_hookspath_inside_book(folder) =
        "{folder} (set by core.hooksPath, inside the book: hooks show up in `git status`)\n";
    installed = "installed";
    to_be_updated = "outdated";
    installed_and_changed_by_you_left = "installed, but modified by you: left alone";
    your_own = "your own";
    not_installed = "not installed";
    that_of_runs_first_after_installing(name) =
        "the {name} hook runs first; after reinstalling {name}: novel hooks install";
    your_own_runs_first = "your own hook runs first";
    to_take_them_out(next) = "to remove them: {next}\n";
    hooks_path_what(path, what) = "{path}: {what}";
    line_key(path, line) = "{path}, line {line}: contains a key";
    commit_message_key(commit, line) = "commit {commit}, line {line} of its message: contains a key";
    nothing_was_committed_key = "nothing was committed: a key would be in every copy of the book";
    no_key_commit_it_yourself(git, paths) =
        "if it is no key, commit it yourself: `{git} add {paths}`, then `{git} commit --no-verify`, then run the command again";
    staged_version_has_key(paths) =
        "the version that you staged has it; to stage the file as it is now: `git add {paths}`, then run the command again";
    nothing_was_sent_key(remote) = "nothing was sent: {remote} would get a key";
    revoked_or_no_key_push_it(command) =
        "if it has been revoked, or is no key, push it yourself: `{command}`, then run `novel sync` again";
    hook_stopped_push(remote) = "nothing was sent to {remote}: the pre-push hook of this repository stopped it";
    do_what_hook_says(remote) =
        "correct what the hook says, then run `novel sync` again; to push without the hook: `git push --no-verify {remote}`";
    commit_line_key(commit, path, line) = "commit {commit}, {path}, line {line}: contains a key";
    would_lack_its(chapter, path) = "{chapter} would be missing {path}";
    text_of_is_gone_and_stays(chapter, path) = "the text of {chapter} is gone, but {path} is still there";
    state_is_that_after_chapter_and(of, last) = "the state is from after chapter {of}, but the last chapter is {last}";
    interrupted_command_has_not_finished = "an interrupted command left a transaction unfinished";
    novel_process_is_accepting_chapter(pid) = "novel (process {pid}) is accepting a chapter";
    correct_file_and_git_add_it = "fix the file and `git add` it; `novel doctor` explains each problem";
    remove_key_and_keep_it_in =
        "remove the key and keep it in an environment variable or in your own configuration: `novel config path`";
    revoke_key_first_then_rewrite_commits = "revoke the key first, then rewrite the unpushed commits: `git rebase -i`";
    commit_files_of_chapter_together_git =
        "commit all files of a chapter together: `git add -A`; to restore missing ones: `novel doctor --repair`";
    to_bring_text_back_novel_doctor(chapter) =
        "to restore the text: `novel doctor --repair`; to remove the chapter: `novel doctor --remove {chapter}`";
    commit_chapters_with_their_state_or =
        "commit the chapters together with their state, or rebuild the state first: `novel doctor --repair`";
    finish_it_first_novel_doctor_repair = "finish it first: `novel doctor --repair`";
    push_when_it_is_done = "push once it has finished";
    and_more_chapters(names, n, more) = "{names} and {more} more";
    text_of_has_changed_and_summary(chapters) =
        "text changed, but not the summary and delta, in {chapters}: `novel rebuild`";
    came_without_delta_novel_rebuild(chapters) = "no delta for {chapters}: `novel rebuild`";
    is_no_longer_in_book_novel(chapters) = "no longer in the book: {chapters}; see `novel doctor`";
    state_does_not_fit_chapters_and =
        "the state does not match the chapters and must be rebuilt: `novel doctor --repair`";
    rules_people_or_plans_have_changed =
        "rules, characters or plans have changed; to see what is affected: `novel impact`";
    novel_has_not_checked_this(hook, why) = "novel did not check this ({hook}): {why}";
    hook_has_been_changed_by_you(hook) =
        "the hook {hook} was modified by you and was left alone; move your lines elsewhere and try again";
    path_of_this_program_is_not = "cannot determine the path of this program";
    this_commit_would_break_book_and = "this commit would break the book and was refused";
    taken_out_of_message_because_only(gone) = "removed from the commit message, because only novel may set it: {gone}";
    nothing_was_pushed = "nothing was pushed";
    hooks_and_more(more) = "and {more} more";
    to_go_without_this_check_no(command) = "to skip this check: `{command} --no-verify`";
    novel(message) = "novel: {message}";
    holds_key_not_shown = "(contains a key, not shown)";

    // Going back: changes.
    change_undo(shown) = "; to undo: {shown}";
    change_redo(shown) = "; to redo: {shown}";
    change_as(what, commit, undo) = "{what} ({commit}){undo}\n";
    book_is_at_already_nothing_has(at) = "already at {at}; nothing changed\n";
    beginning = "the beginning";
    scene(scene) = "scene {scene}";
    brief_settings_style_samples_prompts = "brief, settings, style, samples, prompts, research";
    plans_of_volumes = "volume plans";
    going_back_to_what_leaves_book(name) = "Rolling back to {name} removes:";
    gits_history = "git history";
    going_back_to_of_what_leaves(place, chapter) = "Rolling {chapter} back to {place} removes:";
    history_of_draft(chapter) = "the history of draft/{chapter}";
    change_and_more(n) = "  … and {n} more\n";
    all_of_it_is_kept_as(kept) = "  everything is kept in {kept}\n";
    list_comma = ", ";
    left_as_it_is(list) = "  left unchanged: {list}\n";
    committed_first_as_your_own_edits(list) = "committed first as your edits: {list}";
    chapters_that_leave(list) = "chapters removed: {list}";
    chapters_that_come_back(list) = "chapters restored: {list}";
    files_change(list) = "files: {list}";
    files_modified(modified) = "{modified} modified";
    files_deleted(deleted) = "{deleted} deleted";
    files_added(added) = "{added} added";
    nothing_was_changed = "nothing was changed\n";
    drafts_put_aside(list) = "drafts put aside: {list}";
    and_more_of_unknown_price = " (plus calls of unknown price)";
    paid_for_what_leaves(paid, rest) = "cost of the removed work: {paid}{rest}";
    go_back_to(name) = "Roll back to {name}?";
    went_back_to(name) = "Rolled back to {name}";
    exact_and_keep_are_for_book = "`--exact` and `--keep` apply to the book, not to a scene";
    go_back_to_scene_of(place, chapter) = "Roll {chapter} back to {place}?";
    went_back_to_of(place, chapter) = "Rolled {chapter} back to {place}";
    what_has_left_text_git_show(commit) = "to see the removed text: git show {commit}";
    is_at_scene_already_nothing_has(chapter, scene) = "{chapter} is already at scene {scene}; nothing changed\n";
    commit_is_made_but_folder_could(why) =
        "the commit was made, but the folder lags behind ({why}); the next command that writes updates it";
    took_back(subject) = "Undid `{subject}`";
    did_again(subject) = "Redid `{subject}`";

    // Going back: what was set aside.
    rolled_back = "rolled back";
    undone = "undone";
    another_line_was_adopted = "another line adopted";
    replaced = "replaced";
    put_aside = "put aside";
    damaged = "damaged";
    salvaged = "salvaged";
    staged_then_changed = "staged, then changed";
    branch_deleted = "branch deleted";
    kept_steps_transactions(steps, transactions) = "{steps}";
    kept_noun_list(noun, list) = "{noun} {list}";
    branch(name) = "branch {name}";
    earlier_text_of(chapter) = "earlier text of {chapter}";
    draft_of(name) = "draft of {name}";
    placeholder_name = "NAME";
    nothing_has_left_book = "Nothing to restore.\n";
    to_look_at_one_to_bring(look, back) = "to view one: {look}; to restore it: {back}\n";
    brought_line_back(name) = "Restored the line {name}";
    brought_that_text_of_back(chapter) = "Restored that text of {chapter}";
    opened_again(work) = "Reopened the {work}";
    brought_back(list) = "Restored {list}";
    branch_is_there_again(branch) = "Restored the branch {branch}";
    is_there_already_nothing_has_changed(name) = "{name} is already in the book; nothing changed";
    was_brought_back_before_interruption(name) = "{name} was restored before the interruption";
    kept_as(id) = " ({id})";
    kept_undo(next) = "; to undo: {next}";
    kept_next(next) = "; next: {next}";
    chapters_rest_on_what_is_different(list) = "  may be affected, please check: ch {list}\n";
    kept_column_name = "name";
    kept_column_why = "why";
    kept_column_first_line = "first line";
    book_and_draft_have_both_changed(list) =
        "changed in both the book and the draft, keeping the draft's version: {list}";

    // Going back: lines of the book.
    after(last) = " after {last}";
    began_branch(name, at) = "Created the branch {name}{at}";
    written_up_to(last) = ", written through {last}";
    already_on(name, at) = "Already on {name}{at}";
    now_on(name, at) = "Switched to {name}{at}";
    deleted_branch_undo_novel_restore(name) = "Deleted the branch {name} (to undo: novel restore {name})";
    deleted_branch_of_history(name) = "Deleted the branch {name}; its chapters are in the book's history";
    main_line = "main line";
    lines_on(branch, remote) = "{branch} (on {remote})";
    lines_next(next) = "  next: {next}\n";
    lines_column_from = "from";
    lines_column_up_to = "up to";
    lines_column_in_flight = "in flight";
    has_everything_of_already_nothing_has(main, name) =
        "{main} already contains everything of {name}; nothing changed (to go back there: novel rollback)\n";
    goes_on_as(main, name) = "{main} has adopted {name}";

    // Going back: two lines side by side.
    same_up_to(shared) = "  identical up to {shared}\n";
    every_chapter_is_same = "  all chapters are identical\n";
    where_states_differ(a, b) = "state differences, {a} → {b}";
    where_operations_differ(a, b) = "state changes that differ, {a} → {b}";
    compare_no_value = "none";
    compare_no_change = "no change";
    compare_and_more(n) = "  … and {n} more\n";

    // Other devices: sync.
    lease_of_was_over_or_is(device) = "the lease of {device} has expired or was taken over; this device writes now";
    draft_of_has_come_from_remote(work) = "the draft of {work} was fetched from the remote";
    two_devices_have_gone_on_with(work, kept) =
        "two devices continued the draft of {work}: the more advanced one stays, the other is kept as {kept}";
    remote_refuses(name, reason) = "the remote rejects {name}: {reason}";
    what_is_written_is_not_on = "new work is not on the remote yet; other devices wait until you run `novel sync` here";
    remote_said(line) = " ({line})";
    remote_is_out_of_reach_this(remote, why) =
        "the remote {remote} is unreachable; this run continues without lease and sync{why}";
    two_devices_have_different(chapter) = "two devices wrote different versions of {chapter}";
    side_ours = "ours";
    side_theirs = "theirs";
    deleted = "deleted";
    was_changed_in_same_place_ours(path, ours, theirs) =
        "{path} was changed in the same place on both sides (ours: {ours}; theirs: {theirs})";
    not_there_this_side_has_gone = "(absent: this side was rolled back)";
    sync_count_n(count, n) = "{count}";
    sync_chapter(count, chapter, n) = "{count} (ch {chapter})";
    sync_chapters(count, chapters, n) = "{count} (ch {chapters})";
    sync_with_would_receive_and_send(remote, received, sent) =
        "a sync with {remote} would receive {received} and send {sent}; nothing was changed\n";
    nothing_to_sync_book_and_agree(remote) = "nothing to sync: already up to date with {remote}\n";
    both_are_there_and_nothing_has(theirs, ours, later) =
        "both versions exist and nothing has changed. Choose:\n  {theirs}  continue with theirs, keep ours\n  {ours}    continue with ours, keep theirs\n  {later}   decide later, and store ours on the remote as well\n";
    to_be_decided_later_ours_is(remote, kept) = "decision postponed; ours is on {remote} as well: {kept}\n";
    synced_with(remote) = "synced with {remote}";
    drafts_are_synced_with(remote) = "drafts synced with {remote}";
    synced_with_sent(remote, sent) = "synced with {remote}: sent {sent}";
    synced_with_received(remote, received) = "synced with {remote}: received {received}";
    synced_with_received_sent(remote, received, sent) = "synced with {remote}: received {received}, sent {sent}";
    auto_sync_is_on = "automatic sync is on: every run syncs before and after its work";
    joined_as(commit) = ", merged as {commit}";
    sent_draft_of(list) = "; drafts sent: {list}";
    sent_branch(list) = "; branches sent: {list}";
    remote_has_new_branch(line, next) = "the remote has a new branch {line}: {next}\n";
    version_ours = "ours";
    git_receiving_objects = "Receiving objects";
    git_writing_objects = "Writing objects";
    git_resolving_deltas = "Resolving deltas";
    git_counting_objects = "Counting objects";
    git_enumerating_objects = "Enumerating objects";
    git_compressing_objects = "Compressing objects";
    git_delta_compression = "Delta compression using";
    version_theirs = "theirs";
    goes_on_other_line_is_kept(side, back) = "continuing with {side}; to bring the other line back: {back}\n";
    sync_difference = "first difference";
    sync_words = "characters";
    sync_author = "author";
    sync_time = "time";
    sync_goes_on_to = "continues to";

    // Other devices: leases.
    another_device = "another device";
    lease_on(author, device) = "{author} on {device}";
    has_been_since_until_at_latest(who, doing, since, until) =
        "{who} has been {doing} since {since}, until {until} at the latest";
    began_on_and_has_not_synced(who, since, doing) = "{who} started {doing} on {since} and has not synced yet";
    writing_book = "writing the book";
    writing(chapter) = "writing {chapter}";
    planning(volume) = "planning {volume}";
    reviewing(volume) = "reviewing {volume}";
    busy_with(step) = "working on {step}";

    // Problems: files.
    file_is_not_utf_text = "the file is not UTF-8 text";
    file_is_saved_as_and_not(name) = "the file is saved as {name}, not as UTF-8";
    file_is_empty = "the file is empty";
    file_ends_in_middle_of_line = "the file ends in the middle of a line: the rest is lost";
    file_has_unresolved_conflict_markers = "the file has unresolved conflict markers";
    file_has_schema_version_and_novel(found, version, known) =
        "the file has schema_version {found}, but novel {version} supports only up to {known}";
    keys_and_endpoints_do_not_belong = "keys and endpoints do not belong in a book";
    problem_line(line) = "line {line}: ";
    line_column(line, column) = "line {line}, column {column}: ";
    problem_key(key) = "`{key}`: ";
    save_it_as_utf_or_let = "save it as UTF-8, or let novel convert it and keep the original: `novel doctor --repair`";
    save_file_as_utf = "save the file as UTF-8";
    choose_one_side_between_and_then = "keep one side between <<<<<<< and >>>>>>>, then delete the markers";
    install_newer_novel_file_is_left = "install a newer novel; the file is left untouched";
    remove_it_here_set_it_with = "remove it here; set it in an environment variable or in your own configuration";
    correct_it_or_drop_change_git(path) = "fix it, or discard the change: `git -C staging restore {path}`";
    correct_it_or_go_back_to =
        "fix it, or restore the last good version and keep a copy of this one: `novel doctor --repair`";
    correct_line_of_setting(path) = "correct or remove this line of `{path}`";
    correct_it_or_bring_last_whole = "fix it, or restore the last intact version: `novel doctor --repair`";
    file_that_is_not_in_book = "a file that is not part of the book is in the way";
    committed_file_that_is_no_chapter = "a committed file that is not a chapter of the book is in the way";
    symbolic_link_at_place_of_file = "a symbolic link instead of a file";
    symbolic_link_at_place_of_folder = "a symbolic link instead of a folder";
    file_at_place_of_folder = "a file instead of a folder";
    folder_at_place_of_file = "a folder instead of a file";
    folder_may_not_be_written_to = "the folder is not writable";
    foreshadowing_is_open(id, scope, file) = "the plot thread `{id}` ({scope}) is still open: {file}";
    storyline_is_told_through_this_person(line, status, file) =
        "the storyline `{line}` ({status}) is told from this character's point of view: {file}";
    storylines_and_share_this_person(from, to, file) =
        "the storylines `{from}` and `{to}` share this character: {file}";
    through_eyes_of(line) = ", from the point of view of `{line}`";
    storylines_are_still_to_meet_in(range, by, file) = "a crossover is still planned for ch {range}{by}: {file}";
    planned_and_not_written(list, file) = "{list}, planned but not written: {file}";
    server_does_not_take(what, why) = "the server does not accept {what} ({why})";
    request_part_answer_form = "the form of the answer";
    request_part_sampling = "sampling";
    request_part_stream_usage = "token counts in a stream";
    request_part_output_limit = "the name of the output limit";
    request_part_thinking = "the control of thinking";
    scenes_before = "earlier scenes";
    chapters_plan = "the chapter's plan";

    // Problems: syntax.
    syntax_unfinished = "the file is incomplete: a closing bracket or quotation mark is missing";
    syntax_comma_or_brace = "expected `,` or `}`";
    syntax_comma_or_bracket = "expected `,` or `]`";
    syntax_colon = "expected `:`";
    syntax_no_value = "expected a value";
    syntax_bare_key = "the key must be in quotation marks";
    syntax_trailing_comma = "trailing comma after the last entry";
    syntax_trailing_text = "unexpected text after the end";
    syntax_missing_field(field) = "missing field `{field}`";
    syntax_bare_text = "text must be in quotation marks";
    syntax_open_list = "the list has no closing `]`";
    syntax_duplicate_key = "duplicate key";
    syntax_other(words) = "{words}";

    // Problems: values.
    wanted_version = "expected a whole number from 1";
    wanted_whole_number = "expected a whole number";
    wanted_number = "expected a number";
    wanted_text = "expected a text in quotation marks";
    wanted_flag = "expected `true` or `false`";
    wanted_tier = "expected `standard` or `strong`";
    wanted_language = "expected `zh` (Chinese) or `en` (English)";
    wanted_policy = "expected `none`, `auto_apply` or `manual_confirm`";
    wanted_share = "expected a share between 0 and 1";
    wanted_length = "expected a length in characters";
    wanted_list = "expected a list `[ ]`";
    wanted_map = "expected a map `{ }`";
    name_is_unknown(given, allowed) = "`{given}` is not valid; valid values: {allowed}";
    text_is_no_id(given) = "`{given}` is not an id (lower-case letters, digits, `-` and `_`, at most 64 characters)";
    text_is_no_chapter(given) = "`{given}` is not a chapter number (write 48 or ch-48)";
    text_is_no_volume(given) = "`{given}` is not a volume number (write 2 or vol-2)";
    text_is_no_work(given) = "`{given}` is not a chapter, volume or step";
    text_is_no_content(given) = "`{given}` is not a content id (40 hexadecimal digits)";
    text_is_no_entry(given) = "`{given}` is not an entry of the state";
    text_is_no_interval(given) = "`{given}` does not say how many chapters (write every_8_chapters)";
    chapter_number_is_out_of_range = "a chapter number is between 1 and 999999";
    volume_number_is_out_of_range = "a volume number is between 1 and 999";
    setting_is_unknown(key) = "no such setting: `{key}`";
    setting_is_unknown_and_meant(key, meant) = "no such setting: `{key}`; did you mean `{meant}`?";
    setting_is_wrong(key, mistake) = "`{key}`: {mistake}";
    min_words_is_out_of_range = "must be at least 1 and at most `chapter.max_words`";
    calls_of_no_chapter = "must be at least 1; leave the setting out to keep all calls";
    border_is_out_of_range = "a threshold of the gate is between 1 and 5";
    borders_do_not_rise = "the thresholds must rise: 1 <= pause <= revise <= polish <= pass <= 5";
    sum_is_negative = "must not be negative";
    budget_stands_twice = "set either `budget.usd` or `budget.cny`, not both";
    lease_is_out_of_range(least, most) = "must be between {least} and {most}";
    remote_is_no_name = "expected the name of a git remote, not an address";
    context_is_too_small(least) = "must be at least {least}: the material of a chapter does not fit into less";
    convergence_context_is_too_small = "must be at least `context.tokens`";
    memory_chapters_are_too_many(most) = "must be at most {most}: older events are in the storylines’ memories";
    history_is_empty = "the history is empty";
    history_has_no_planting = "the history does not begin with a planting";
    status_is_not_last_entrys = "the status differs from the last entry of the history";
    summary_has_no_storyline = "missing line `> 故事线：<id>`";
    cross_reference_is_short = "a cross reference is `名字｜故事线｜low｜原文`";
    file_has_other_id(name, found) = "the file is named `{name}`, but its id is `{found}`";
    file_has_other_chapter(name, found) = "the file says chapter {found}, its name says {name}";
    file_has_other_volume(folder, found) = "the file says volume {found}, its folder says {folder}";
    brief_is_long(length, most) = "{length} characters; more than {most} crowd every prompt";
    memory_is_long(length, most) = "{length} characters; a storyline memory has at most {most}";
    profile_is_empty = "the profile is empty";
    chapter_has_no_text = "the chapter has no text";
    chapter_has_no_title = "the chapter has no title (write `# 第48章 标题`)";
    summary_is_empty = "the summary is empty";
    storyline_is_not_there(line) = "no such storyline: `{line}`";
    id_stands_twice = "duplicate id";

    // Problems: outlines.
    outline_is_empty = "there is no `## ` section, so there are no chapters";
    heading_has_no_number(heading) = "heading `{heading}` has no chapter number (write `## 第12章 标题`)";
    heading_is_not_marked(heading) = "`{heading}` is a chapter's heading without `## ` (write `## {heading}`)";
    chapter_is_out_of_order(found, wanted) = "expected chapter {wanted}, found chapter {found}";
    chapter_is_repeated(chapter, first) = "chapter {chapter} appears a second time (first in line {first})";
    outline_begins_elsewhere(found, wanted) =
        "the outline begins with chapter {found}, but the volume begins with chapter {wanted}";
    field_is_unknown(label, field, english) = "no such field: `{label}`; did you mean `{field}` ({english})?";
    field_is_lacking(chapter, field, english) = "chapter {chapter} lacks `{field}` ({english})";
    field_stands_twice(chapter, field) = "chapter {chapter} has `{field}` twice";
    outline_storyline_is_unknown(name) =
        "no such storyline: `{name}` (use its name or id, or `主线` for the main storyline)";

    // Problems: plans.
    plan_begins(found, wanted) = "the volume begins with chapter {found}, but chapter {wanted} is next";
    plan_count(found, wanted) = "{found} chapter(s) planned instead of {wanted}";
    plan_no_conflict(chapter) = "{chapter} has no conflict";
    plan_too_many_lines(found, most) = "{found} storylines are active; more than {most} get mixed up";
    plan_unknown_line(line) = "no such storyline: `{line}`";
    plan_ended_line(line) = "storyline `{line}` has ended";
    plan_not_scheduled(chapter, line) = "{chapter} is on `{line}`, which is not in the schedule";
    plan_no_chapter(line) = "`{line}` is scheduled but has no chapter";
    plan_no_primary = "no storyline is marked primary";
    plan_run_too_long(line, from, run, limit) =
        "`{line}` runs from {from} for {run} chapter(s) in a row; the limit is {limit}";
    plan_away_too_long(line, after, gap, limit) =
        "`{line}` is absent for {gap} chapter(s) after {after}; the limit is {limit}";
    plan_meeting_outside(from, to) = "the crossover in {from}–{to} is outside the volume";
    plan_meeting_alone(from, to) = "the crossover in {from}–{to} does not name two scheduled storylines";
    plan_meeting_empty(from, to) = "no chapter in {from}–{to} is on the storylines that cross there";
    plan_range(id, from, to) = "plot thread `{id}` cannot be resolved in {from}–{to}";
    plan_span(id, plant, to) =
        "short plot thread `{id}`, planted in chapter {plant}, must be resolved within three to ten chapters, not by chapter {to}";
    plan_plant_outside(id, plant) = "plot thread `{id}` is planted in chapter {plant}, outside the volume";
    plan_untold(id, chapter, action) = "the section of {chapter} does not say that it {action}s `{id}`";
    plan_unplanned(id, chapter) = "{chapter} works on plot thread `{id}`, which is not planned";
    plan_order(id, chapter, action) = "{chapter} cannot {action} plot thread `{id}`: the order is wrong";
    plan_left_open(id, chapter) = "the book ends with this volume, but plot thread `{id}` is not resolved by {chapter}";
    plan_left_hanging(line) = "the book ends with this volume, but storyline `{line}` has no part in it";
    plan_no_contract(chapter) = "{chapter} has no contract";
    plan_unfounded(chapter, fact) = "{chapter} presupposes something that no earlier chapter brings about: {fact}";

    // Problems: operations on the state.
    operation_is_unknown(op) = "`{op}` is not an operation (set, inc, add, remove, foreshadow)";
    path_has_wrong_depth(path, depth) = "path `{path}` has {depth} segments instead of 2 to 4";
    path_has_no_category(path) = "path `{path}` does not start with a category of the state";
    path_has_no_id(path) = "path `{path}` has a segment that is not an id";
    value_does_not_fit(path, reason) = "the value at `{path}` does not fit: {reason}";
    value_is_of_another_kind(path, found, wanted) = "`{path}` holds {found}, not {wanted}";
    misfit_of_foreshadowing = "plot threads change by `foreshadow` operations only";
    misfit_no_number = "`inc` needs a number";
    misfit_not_plain = "a list holds only texts, numbers and truth values";
    misfit_unknown_action = "a plot thread is `planted`, `advanced` or `resolved`";
    misfit_unknown_scope = "unknown scope";
    misfit_missing = "there is no value";
    misfit_long_text = "the text is longer than 200 characters";
    misfit_long_list = "the list has more than 64 entries";
    misfit_deep_map = "there are at most four levels";
    misfit_key_of_map = "a key is not an id";
    misfit_out_of_range = "the number is out of range";
    misfit_far_relationship = "feelings lie between -100 and 100";
    misfit_relationship_at_limit = "the feelings are at their limit";
    value_kind_nothing = "nothing";
    value_kind_truth = "a truth value";
    value_kind_number = "a number";
    value_kind_text = "a text";
    value_kind_list = "a list";
    value_kind_map = "a map";
    value_kind_map_above = "a map that can hold it";
    entry_is_there_already(path) = "`{path}` already has that entry";
    entry_is_not_there(path) = "`{path}` has no such entry";
    list_is_full(path, most) = "`{path}` already has {most} entries";
    foreshadowing_is_planted_already(id) = "plot thread `{id}` is already planted";
    foreshadowing_is_not_planted(id) = "plot thread `{id}` is not planted yet";
    foreshadowing_is_resolved_already(id) = "plot thread `{id}` is already resolved";

    // Problems: prompt files.
    prompt_variable_is_unknown(file, line, name, known) =
        "{file}:{line}: unknown variable `{{{name}}}`; available: {known}";
    prompt_variable_is_unused(file, name) = "{file}: the variable `{{{name}}}` is not used";
    prompt_brace_is_single(file, line, brace) = "{file}:{line}: single `{brace}`; double it for a literal brace";
    prompt_file_is_unknown(file) = "`{file}` does not correspond to any prompt";

    // Problems: replies of a model.
    chapter_is_short(words, wanted) = "{words} characters instead of at least {wanted}";
    reply_is_empty = "the reply is empty";
    reply_has_no_prose = "the reply contains no prose";
    reply_is_outline = "the reply is an outline, not prose";
    reply_is_fragment(words, wanted) = "the reply has {words} characters; a chapter needs at least {wanted}";
    reply_is_not_finished(how) = "the text is unfinished: {how}";
    reply_is_copied(letters, from, passage) = "the text copies {letters} characters from {from}: {passage}…";
    reply_speaks_of_task(words, sentence) = "the story mentions its task: `{words}` in “{sentence}”";
    revision_changes_nothing = "the revision changes nothing";
    revision_is_shrunk(words, before) = "the revision has {words} characters, the original {before}";
    continuation_adds_nothing = "the continuation adds nothing to the text";
    reply_repeats_example(example) = "the reply repeats the example `{example}`";
    report_leaves_out(rules) = "the report leaves out {rules}";
    quotations_are_not_in_text(rules) = "quotations not found in the text: {rules}";
    reply_goes_in_circles = "the reply kept repeating itself";
    json_is_missing = "it has no JSON object";
    json_breaks_off = "it breaks off";
    json_is_broken_near(near) = "it cannot be read near `{near}`";
    json_is_there_several_times(count) = "it has {count} different JSON values";
    reply_is_not_json(why) = "the reply is not JSON: {why}";
    reply_lacks_field(field, wanted) = "the field `{field}` is missing or is not {wanted}";
    field_kind_text = "a text";
    field_kind_object = "an object";
    field_kind_objects = "a list of objects";
    field_kind_texts = "a list of texts";
    field_kind_rules = "a list of rules";
    field_kind_people = "a list of characters with a name and a profile";
    field_kind_scenes = "a list of two to six scenes";
    field_kind_every_chapter = "a complete list of the chapters that were asked for";
    field_kind_storylines = "a list of storylines";
    field_kind_storyline = "a storyline with a name and a description";
    field_kind_new_name = "a name that no storyline of the book has yet";
    field_kind_recommendation = "`continue`, `wrap_up` or `force_end`";
    field_kind_reason = "a reason in words for the scores";
    scores_are_not_complete(why) = "{why}";
    score_is_missing(dimension) = "the score of `{dimension}` is missing";
    score_stands_twice(dimension) = "`{dimension}` is scored twice";
    score_is_out_of_range(dimension) = "the score of `{dimension}` is not between 1 and 5";
    text_reached_limit = "it was cut at the output limit";
    text_began_to_repeat = "the rest only repeats itself";
    text_began_to_copy_prompt = "the rest only copies the prompt";
    text_ends_in_sentence = "it ends mid-sentence";
    text_ends_in_quotation = "it ends inside a quotation";

    // Problems: calls of a model.
    fault_unauthorized(detail) = "the server does not accept the key{detail}";
    fault_forbidden(detail) = "the key lacks permission{detail}";
    fault_unknown_model(detail) = "the server does not know this model or address{detail}";
    fault_rate_limited(detail) = "the server asks to slow down{detail}";
    fault_overloaded(detail) = "the server is overloaded{detail}";
    fault_spend_limit(detail) = "the account's spending limit is reached{detail}";
    fault_billing(detail) = "the account has no balance or quota left{detail}";
    fault_context_too_long = "the prompt does not fit the model's context";
    fault_context_limit(limit) = "the prompt does not fit the model's context of {limit} tokens";
    fault_context_sizes(sent, limit) =
        "the prompt does not fit the model's context: {sent} tokens, the limit is {limit}";
    fault_bad_request(status, detail) = "the server rejects the request ({status}){detail}";
    fault_timeout(seconds, phase) = "no answer within {seconds} s ({phase})";
    fault_connecting = "connecting";
    fault_waiting_for_first_byte = "waiting for the first byte";
    fault_waiting_for_next_byte = "waiting for the next byte";
    fault_waiting_in_all = "in all";
    fault_cut_stream(length, detail) = "the answer was cut off after {length} characters{detail}";
    fault_truncated(limit) = "the answer was cut at {limit}";
    fault_output_limit = "the output limit";
    fault_end_of_context = "the end of the context";
    fault_circling = "the answer kept repeating itself";
    fault_refused(detail) = "the model refused to answer{detail}";
    fault_empty = "the answer is empty";
    fault_stopped = "the call was interrupted";
    disruption_refused = "no program answers at this address";
    disruption_unknown_host = "there is no such host";
    disruption_no_route = "the network does not lead to it";
    disruption_closed = "the connection was closed";
    disruption_ended_early = "it ended without its last part";
    disruption_certificate = "its certificate is not trusted";
    disruption_no_https = "it does not speak https; does the address begin with http://?";
    fault_network(detail) = "the server cannot be reached{detail}";
    fault_server(status, detail) = "the server failed ({status}){detail}";
    fault_protocol(detail) = "the server does not speak the expected protocol{detail}";
    mismatch_not_json(document, why) = "{document} is not JSON: {why}";
    mismatch_lacks(document, field) = "{document} has no `{field}`";
    mismatch_no_answer = "the stream ended without an answer";
    mismatch_too_large = "the answer is too long";
    mismatch_not_url = "the address is not an http or https URL";
    mismatch_no_connections(why) = "no connections can be made: {why}";
    mismatch_web_page = "the answer is a web page; is the address right?";
    mismatch_redirected(status) = "the address redirects elsewhere ({status})";
    mismatch_unknown_end(reason) = "the answer ended for an unknown reason: {reason}";
    mismatch_many_memories(run) = "it lists too many memories of `{run}`";
    mismatch_unencrypted_key = "a key is not sent unencrypted to another machine";
    mismatch_no_mem0 = "no Mem0 server answers at this address";
    mismatch_old_mem0(parameter) = "its version lacks `{parameter}` at /memories; a newer one has it";
    mismatch_other_memory = "it has kept another text than the one that it was given";
    mismatch_bad_memory_id = "the id of a memory has characters that no id has";
    document_answer = "the answer";
    document_event = "an event";
    document_models = "the list of models";
    document_memories = "the list of memories";
    fault_malformed_key = "the key has characters that no key has";
    fault_detail(words) = ": {words}";
    model_server_and_this_program_do = "the server is incompatible with this program";
    model_account_has_no_balance_left = "the account has no balance left";
    model_accounts_spending_limit_is_reached = "the account's spending limit is reached";
    model_prompt_does_not_fit_models = "the prompt does not fit the model's context";
    model_answer_ended_before_it_was = "the answer ended before it was complete";
    model_model_goes_round_in_circles = "the model keeps repeating itself";
    model_model_declined_to_answer = "the model declined to answer";
    model_no_connection_to_server = "no connection to the server";
    model_no_answer_came_in_time = "no answer within the time limit";
    model_models_server_does_not_work = "the model's server is currently unavailable";

    // Problems: git and the operating system.
    system_missing(text) = "{text}";
    system_denied(text) = "{text}";
    system_read_only(text) = "{text}";
    system_full(text) = "{text}";
    system_failing(text) = "{text}";
    system_locked(text) = "{text}";
    system_exhausted(text) = "{text}";
    system_garbled(text) = "{text}";
    system_other(text) = "{text}";

    // Failures: any command.
    is_missing_from_book_and_no(chapters) =
        "{chapters} is missing from the book, and no record says that this is intentional";
    files_of_are_gone_deletion_is(chapters) = "the files of {chapters} are gone (the deletion is uncommitted)";
    to_bring_it_back_novel_doctor_repair = "to restore it: `novel doctor --repair`";
    to_take_it_out_on_purpose(back) = "to remove it on purpose: `novel rollback {back}`";
    to_leave_it_out_on_purpose(all) = "to leave it out on purpose: `novel doctor --remove {all}`";
    this_is_bug_in_novel_please(version) = "this is a bug in novel {version}; please report it with the lines above";
    error = "error: ";
    caused_by = "because: ";
    hint = "hint: ";
    output_cannot_be_written = "cannot write the output";
    answer_cannot_be_written_as_json = "cannot write the answer as JSON";
    run_same_command_again_to_go = "run the same command again to resume";

    // Failures: work in a book.
    has(path, count, n) = "`{path}` has {count}";
    fill_them_in_or_leave_them = "fill them in, or let the planner do it: `novel plan fill`";
    plan_of_cannot_be_used_yet(volume, n, list) = "the plan of {volume} cannot be used yet, {n} of its flaws must go:\n{list}";
    with_this_plan_would_not_hold(volume, list) =
        "with this the plan of {volume} would not hold together, and nothing was changed:\n{list}";
    section_n_title_chapter_with_line(fields) =
        "each chapter needs a section `## 第N章 TITLE` with a line `- FIELD: TEXT` for each of {fields}";
    is_in_book(chapter) = "{chapter} is still in the book";
    remove_confirms_chapter_that_has_been =
        "--remove only confirms that a chapter was deleted; to go back, use `novel rollback`";
    run_is_missing(path) = "`{path}` is missing";
    novel_doctor_repair_brings_it_back = "`novel doctor --repair` restores it from history";
    there_is_no_built_in_style(name) = "no such built-in style: `{name}`";
    chapter_is_gone(chapter) = "{chapter} was removed from the book; later chapters are numbered as before";
    to_bring_chapter_back(chapter) =
        "to bring its text back: `git log -- chapters`, then `git restore --source COMMIT`; {chapter} stays in the history";
    is_not_planned_yet(chapter) = "{chapter} is not planned yet";
    novel_plan_make_plans_next_volume_to(n, volume) =
        "`novel start` leads to the next step; to write the outline yourself, add a section `## 第{n}章 TITLE` to volumes/{volume}/outline.md or to that of the next volume";
    is_written_and_not_reviewed_yet_its(volume) =
        "{volume} is written but not reviewed yet; its review comes before the next volume";
    review_it_first_novel_review(volume) = "review it first: `novel review {volume}`";
    or_let_novel_start_lead_through = "or let `novel start` guide you through it";
    no_quality_brief_has_in_it(chapter) = "no quality brief covers {chapter}";
    there_is_no_quality_brief_yet = "there is no quality brief yet";
    every_fifth_chapter_brings_one_novel = "one is created every five chapters: `novel continue`";
    changes_of_contracts_wait_for_you =
        "changes to world rules or character contracts await your decision, and the chapters depend on them";
    look_at_changes_and_decide_novel_decide = "view the changes and decide: `novel decide`";
    plan_of_waits_for_your_approval(volume) = "the plan of {volume} awaits your approval";
    look_at_it_first_novel_plan = "view it first: `novel plan`";
    approve_it_novel_plan_approve = "approve it: `novel plan approve`";
    it_has_flaws_mend_files_in = "it has flaws: `novel plan mend` has the planner mend them; or fix the files in staging/, then `novel plan approve`";
    first_then(before, what) = "{before} come before {what}";
    first_novel_start_takes_steps_in(command) = "run `{command}`; `novel start` takes the steps in order";
    cannot_be_written_yet_comes_first(chapter, first) = "{chapter} cannot be written yet: {first} comes first";
    write_up_to_it_novel_continue(chapter) = "write through this chapter: `novel continue --to {chapter}`";
    prompt_file_of_book_has_mistake = "a prompt file of the book has an error";
    budget_of_is_nearly_spent_so(limit, spent, next) =
        "the budget of {limit} is nearly used up: {spent} spent so far, and the next call may cost {next}";
    run_same_command_with_more_budget =
        "run the same command with a larger budget: `--budget AMOUNT`; results already paid for are kept";
    budget_needs_price_and_that_of(model) = "the price of {model} is unknown, so the budget cannot be enforced";
    name_price_table_novel_config_set = "set a price table: `novel config set prices FILE`; or run without a budget";
    for_model_of_your_own_that = "for your own model at no cost: `novel config set price free`";
    gave_no_answer_for(model, stage) = "{model} gave no answer for `{stage}`";
    answers_of_for_cannot_be_used(model, stage) = "the answers of {model} for `{stage}` are unusable";
    they_are_kept_novel_show_chapter = "they are kept: `novel show CHAPTER --calls`";
    they_are_kept_on_draft_branch = "they are kept on the draft branch: `git branch --list 'draft/*'`";
    is_not_finished_words_that_are(chapter, words, path) =
        "{chapter} is unfinished: the {words} characters written so far are in {path}";
    novel_continue_goes_on_where_it =
        "`novel continue` resumes where it was cut off; `novel decide` shows the other options";
    run_stopped = "stopped";
    novel_failed_inside = "internal error";
    question_has_been_answered_meanwhile = "the question has been answered in the meantime";
    nothing_waits_for_decision = "there is nothing to decide";
    novel_status_says_what_comes_next = "`novel status` shows what comes next";
    it_scores(score) = "its score is {score}";
    its_text_is_not_finished = "its text is unfinished";
    cannot_be_chosen_for_now(decision, chapter, why) = "`{decision}` is not available for {chapter} now ({why})";
    run_it_may_be(options) = "valid answers: {options}";
    text_of_has_not_been_changed(chapter) = "the text of {chapter} has not been changed";
    change_and_save_it_then_novel(path) = "edit and save `{path}`, then `novel decide edit`";
    is_accepted_it_has_no_scenes(chapter) = "{chapter} is already accepted: it has no scenes to roll back to";
    to_write_whole_chapter_again_novel(before) = "to rewrite the whole chapter: `novel rollback {before}`";
    has_no_draft_in_flight(chapter) = "{chapter} has no draft in flight";
    is_one_that_is_being_written(other) = "the chapter in flight is {other}";
    novel_status_says_where_book_stands = "`novel status` shows where the book stands";
    is_not_written_scene_by_scene(chapter) = "{chapter} is not written scene by scene";
    to_write_next_one_so_novel = "to write the next one that way: `novel continue --scenes`";
    has_been_through_as_whole_since(chapter, stage) =
        "{chapter} has been through `{stage}` as a whole since its scenes were written";
    text_as_scenes_left_it_novel(chapter) = "the text as the scenes left it: `novel show {chapter} --stage scene`";
    has_no_scene(chapter, scene) = "{chapter} has no scene {scene}";
    no_scene_is_written_yet = "no scene is written yet";
    are_written_novel_rollback_scene(written, chapter) =
        "scenes written so far: {written}; `novel rollback {chapter}/scene-{written}`";
    no_active_character_is_called(name) = "no such character: `{name}`";
    novel_character_list_lists_them = "`novel character list` lists them";
    has_left_story_already(id) = "`{id}` has already retired from the story";
    novel_character_list_lists_everybody = "`novel character list` lists all characters";
    cannot_leave_story_yet(name, id) = "{name} (`{id}`) cannot retire from the story yet";
    no_storyline_is_called(name) = "no such storyline: `{name}`";
    no_volume_is_called(name) = "no such volume: `{name}`";
    novel_storyline_list_lists_them = "`novel storyline list` lists them";
    has_ended_already(name, id) = "{name} (`{id}`) has already ended";
    to_take_it_up_again_novel(id) = "to resume it: `novel storyline resume {id}`";
    nobody_in_book_is_called(name) = "no such character: `{name}`";
    novel_character_list_lists_them_novel = "`novel character list` lists them; `novel character add` creates one";
    there_is_storyline_already(name, id) = "the storyline {name} (`{id}`) already exists";
    choose_another_name_or_let_it(id) = "choose another name, or resume it: `novel storyline resume {id}`";
    no_id_can_be_made_of(name) = "cannot derive an ID from `{name}`";
    give_one_with_id_such_as = "provide one with `--id`, such as night-ferry";
    storylines_run_already_more_get_mixed(n) = "too many active storylines: {n} are running already";
    these_run(list) = "active storylines: {list}";
    let_one_rest_first_novel_storyline = "pause one first: `novel storyline pause ID`";
    storyline_cannot_pause_yet(name, id) = "the storyline {name} (`{id}`) cannot be paused yet";
    storyline_cannot_end_yet(name, id) = "the storyline {name} (`{id}`) cannot end yet";
    plan_of_that_waits_begins_storylines(volume) = "the pending plan of {volume} introduces storylines of its own";
    novel_plan_approve_it_first_or = "decide on it first: `novel plan approve` or `novel plan reject`";
    samples_have_han_characters_too_few(han) =
        "the samples have only {han} Han characters, too few to determine a style";
    at_least_are_needed_two_or(least) = "at least {least} are required; two or three chapters are best";
    stopped_after_to_records(last, found, conflicts) = "stopped after {last}: {found} with the records";
    novel_check_shows_where_novel_revision =
        "`novel check` shows where, `novel revision make` has them revised; `novel continue` continues regardless";
    correct_outline_md_and_novel_plan(folder) =
        "to have the planner mend it: `novel plan mend`; to do so yourself: edit {folder}/outline.md, then `novel plan approve`; to drop it: `novel plan reject`";
    correct_outline_md_or_contracts_in(volume) =
        "fix outline.md or the contracts in volumes/{volume}/, then `novel impact --regenerate`";
    novel_log_lists_commits = "`novel log` lists the commits";
    cannot_have_chapters_at_least_are(volume, chapters, least) =
        "cannot plan {volume} with {chapters} chapter(s): {least} is the minimum, because they are already written";
    give_it_chapters_or_more(least) = "use at least {least} chapter(s)";
    is_not_planned(volume) = "{volume} is not planned";
    is_reviewed_when_it_is_written(volume, written, planned) =
        "{volume} can be reviewed only when it is complete: written so far: {written} of {planned} chapter(s)";
    novel_continue_volume_writes_it_to =
        "`novel continue --volume` writes it to the end; `novel review N` shows an earlier one";
    of_there_are_only_trial_chapters(volume) = "{volume} has only trial chapters; nothing to review";
    novel_start_goes_on = "`novel start` continues from here";
    book_is_complete_and_ends_with(volume) = "the book is complete and ends with {volume}";
    to_go_on_all_same_novel = "to continue anyway: `novel start --answer next-volume`";
    is_not_written_yet(chapter) = "{chapter} is not written yet";
    has_setting_that_cannot_be_used(path) = "`{path}` has an invalid setting";
    was_written_by_newer_novel(path) = "`{path}` was written by a newer novel";
    run_cannot_be_read(path) = "cannot read `{path}`";
    deleted_and_book_needs_it(paths) = "deleted, but required by the book: {paths}";
    to_delete_it_on_purpose_commit(list) =
        "to delete it on purpose, commit the deletion yourself: `git commit -m deleted -- {list}`";
    something_stands_where_book_is_to = "something is in the way of files to be written; nothing has been started";
    to_make_way_mv(full, aside) = "to move it out of the way: `mv {full} {aside}`";
    to_make_way_mv_git_commit(full, aside) =
        "to move it out of the way: `mv {full} {aside} && git commit -m aside -- {full}`";
    to_allow_writing_chmod_u_w(full) = "to allow writing: `chmod u+w {full}`";
    doctor_sets_link_aside =
        "no file is read through a link: `novel doctor --repair --yes` renames it and puts back what the last commit has; to use its files, copy them into the book";
    novel_doctor_repair_yes_puts_real =
        "`novel doctor --repair --yes` puts a real file or folder there; the old one stays next to it under another name";
    to_make_it_chapter_git_add(full, name) = "to use it as the chapter: `git add {full} && git commit -m {name}`";
    prompt_of_needs_about_tokens_with(stage, needed, model, limit) =
        "the prompt for `{stage}` needs about {needed} tokens including the answer, but the context of {model} is {limit}; nothing was sent";
    use_model_with_larger_context_or =
        "use a model with a larger context, or set its real size: `novel config set context_window NUMBER`";
    or_make_chapter_max_words_and = "or reduce chapter.max_words and context.tokens in novel.toml";

    // Failures: facts.
    book_has_never_noted(fact) = "the book has no record of `{fact}`";
    there_is_no_foreshadowing(typed) = "no such plot thread: `{typed}`";
    novel_foreshadow_lists_them = "plot threads: `novel foreshadow --all`";
    what_is_noted_novel_state_plot = "recorded facts: `novel state`; plot threads: `novel state active_foreshadowing`";
    perhaps(nearest) = "did you mean `{nearest}`?";
    stands_for_several_things(name) = "`{name}` is ambiguous";
    id_of_name(id, name) = "`{id}` ({name})";
    give_one_of_ids(ids) = "use an ID instead: {ids}";
    write_which_one(paths) = "specify which one: `{paths}`";

    // Failures: history.
    has_no_accepted_chapter(volume) = "{volume} has no accepted chapters";
    novel_log_kind_chapter_lists_chapters = "`novel log --kind chapter` lists the chapters";
    books_line_has_no(name) = "{name} is not on the book's line";
    novel_log_lists_every_step_with = "`novel log` lists every step with its commit";
    what_has_left_it_novel_restore = "what was removed from it: `novel restore`";
    there_is_no_to_keep_neither(path) = "there is no `{path}` to keep, neither now nor at the target";
    follows_from_chapters_and_cannot_stay(path) =
        "`{path}` is derived from the chapters and cannot be kept without them";
    your_own_files_can_stay_and = "only your own files and the texts of remaining chapters can be kept";
    there_are_steps_and_not(possible, wanted) = "cannot go {wanted} steps; only {possible} available";
    there_are_uncommitted_changes_of_yours(list) = "you have uncommitted changes: {list}";
    commit_them_first_git_commit_or = "commit them first: `git commit -a`; or discard them: `git restore FILE`";
    calls_are_no_longer_kept(chapter, keep) = "the draft of {chapter} and its calls are no longer kept: `novel.toml` has `keep_calls = {keep}`";
    calls_are_not_in_this_copy(name) = "this copy of the book does not have the draft of {name} and its calls";
    nothing_kept_is_called(name) = "nothing named {name} is kept";
    novel_restore_lists_everything_that_is = "`novel restore` lists everything that is kept";
    there_are_several_of_say_which(name) = "{name} is ambiguous: specify which one";
    novel_restore(one) = "`novel restore {one}`";
    cannot_come_back_next_chapter_is(chapter, next) = "{chapter} cannot be restored: the next chapter is {next}";
    bring_back_what_comes_before_it = "restore the chapters before it first, or the whole line: `novel restore`";
    this_draft_of_goes_on_from(work) = "this draft of {work} continues another line of the book";
    bring_that_line_back_first_novel = "restore that line first: `novel restore`";
    cannot_be_name_of_branch(name) = "`{name}` is not a valid branch name";
    for_example_novel_branch_alt_ending = "for example `novel branch alt-ending`";
    there_is_branch_already(name) = "the branch {name} already exists";
    go_to_it_novel_branch_switch(name) = "switch to it: `novel branch switch {name}`";
    or_take_another_name = "or choose another name";
    book_has_no_branch(name) = "no such branch: {name}";
    novel_branch_list_lists_lines = "`novel branch list` lists the lines";
    is_main_line(line) = "{line} is the main line";
    book_is_on(line) = "the book is on {line}";
    first_novel_branch_switch(main) = "switch first: `novel branch switch {main}`";
    book_is_not_on_its_main(main) = "the book is not on its main line, {main}";
    is_being_written_as_one_draft(chapter) = "{chapter} is already being written as a single draft";
    go_on_with_it_novel_continue = "continue it: `novel continue`";
    begin_it_again_novel_rollback_to = "start over: `novel rollback` to the chapter before it, then `--candidates`";
    has_no_candidate(chapter, number) = "{chapter} has no candidate {number}";
    novel_decide_lists_candidates = "`novel decide` lists the candidates";
    has_candidates_to_choose_from(chapter, count) = "{chapter} has {count} candidates to choose from";
    look_and_choose_novel_decide = "view and choose: `novel decide`";
    or_take_best_novel_continue_candidates(count) = "or take the best: `novel continue --candidates {count}`";

    // Failures: waivers.
    book_has_neither_check_nor_rule(check) = "no such check or rule: {check}";
    checks(sorts) = "available checks: {sorts}";
    rules_have_their_ids_in_world =
        "rule IDs are in world/rules.json, characters and contracts; for those of a chapter: `novel show CHAPTER --evaluation`";
    cannot_be_waived_for_whole_book(rule) = "{rule} cannot be waived for the whole book";
    waive_it_in_one_chapter_novel(rule) = "waive it for one chapter: `novel waive ch-012/{rule} --reason TEXT`";
    if_rule_is_no_longer_to = "if the rule should no longer hold, change the rule itself";
    does_not_say_about_whom_or(finding) = "{finding} does not name its subject";
    write_whole_name_that_novel_check = "use the full name shown by `novel check`";
    has_part_too_many(finding) = "{finding} has one part too many";
    write(whole) = "use {whole}";
    there_is_no_finding(finding) = "no such finding: {finding}";
    nothing_in_chapter_contradicts_records = "nothing in the chapter contradicts the records";
    chapter_has(one) = "a finding of the chapter: {one}";
    is_not_waived(finding) = "{finding} is not waived";
    novel_waive_lists_what_is_waived = "`novel waive` lists the waived findings";

    // Failures: models.
    look_at_your_account_on_providers = "check your account on the provider's site";
    provider_does_not_accept_key = "the provider rejects the key";
    novel_config_providers_shows_whose_key = "`novel config providers` shows which key is used";
    provider_does_not_have_this_model = "the provider does not have this model";
    novel_config_set_model_name = "`novel config set model NAME`";
    check_settings_base_url_and_wire = "check the settings `base_url` and `wire`";
    novel_context_chapter_shows_what_it =
        "`novel context CHAPTER` shows its parts; or choose a model with a larger context";
    try_another_model_model_name = "try another model: `--model NAME`";
    model_stopped = "stopped";
    settings_timeouts_say_how_long_to = "the settings `timeouts.*` control how long to wait";
    server_asks_for_wait_of(wait) = "the server asks for a wait of {wait}";
    to_wait_longer_retry_for_h = "to wait longer: `--retry-for 2h`";

    // Failures: memory server.
    to_do_without_it_with_embedded =
        "to use the embedded search instead: `novel config unset memory_url`, or `unset NOVEL_MEMORY_URL`";
    mem0_server_at_cannot_be_used(server) = "the Mem0 server at {server} cannot be used";
    correct_key_which_is_in_variable = "correct the key in the environment variable MEM0_API_KEY";
    see_whether_it_is_running_and = "check that it is running at this address: `novel config get memory_url`";
    address_is_that_of_self_hosted =
        "use the address of a self-hosted Mem0 server, without /v1: `novel config get memory_url`";

    // Failures: repository and files.
    folder_does_not_exist(at) = "no such folder: {at}";
    store_is_not_in_book_at(at) = "not in a book: {at}";
    make_one_novel_init_dir = "create one: `novel init DIR`";
    make_one_at(quoted) = "create a book there: `novel init {quoted}`";
    look_at_sample_first_novel_demo = "try a sample first: `novel demo`";
    repository_at_is_not_book(at) = "the repository at {at} is not a book";
    make_it_one_novel_init(at) = "turn it into one: `novel init {at}`";
    novel_init_was_interrupted_at(at) = "`novel init` was interrupted at {at}";
    run_same_init_command_again = "run the same init command again";
    repository_at_has_no_work_tree(at) = "the repository at {at} has no working tree";
    git_clone_book_and_write_in(at) = "clone it and write in the clone: `git clone {at} book`";
    repository_at_uses_what_novel_cannot(at, feature) =
        "the repository at {at} uses a feature that novel cannot read: {feature}";
    belongs_to_another_user(at) = "{at} belongs to another user";
    if_you_trust_it_git_config(at) = "if you trust it: `git config --global --add safe.directory '{at}'`";
    may_be_held_by_process_and(path, command, pid) =
        "{path} may be held by `{command}` (process {pid}) and was left alone";
    let_it_finish_or_close_it = "let it finish, or close it";
    is_seconds_old_and_its_git(path, age) =
        "{path} is {age}s old, and its git process may still be running: it was left alone";
    run_it_again_in_seconds(left) = "try again in {left}s";
    is_nowhere_in_this_folder(what) = "{what} is nowhere to be found in this folder";
    fetch_it_from_another_copy_of = "fetch it from another copy of the book (`git fetch`), or restore a backup";
    somebody_is_writing_in_this_book(what, pid, host) =
        "another process is writing in this book: {what} (process {pid} on {host})";
    wait_until_it_is_done = "wait until it has finished";
    commit_is_checked_out_and_no = "HEAD is detached: no branch is checked out";
    git_switch(branch) = "`git switch {branch}`";
    book_has_no_branch_here(at) = "the book at {at} has no branch: HEAD is detached at one of its commits";
    switch_to_books_branch = "`git switch main`, or the branch that the book has at its remote (`git branch -r`)";
    commit_ahead_is_checked_out(commits, branch) =
        "HEAD is detached: no branch is checked out, and HEAD has {commits} commit(s) that {branch} lacks";
    bring_commits_to_branch(way, branch) = "`{way}` brings them to {branch}";
    sparse_checkout_leaves_out(path) =
        "a sparse checkout leaves out files that the book changes, such as `{path}`";
    disable_sparse_checkout = "`git sparse-checkout disable`";
    branch_is_checked_out_and_books(found, branch) =
        "the branch {found} is checked out, but the book's branch is {branch}";
    or_go_on_with_this_one(found) = "or continue on this one: `novel branch switch {found}`";
    passes_through_git_filter_which_novel(path, filter) =
        "`{path}` passes through the git filter `{filter}`, which novel cannot run";
    take_filter_off_books_files_in(filter, file) =
        "remove `filter={filter}` from the book's files in {file} (images and audio may keep it); a change of .gitattributes has to be committed";
    git_is_in_progress(what) = "a git {what} is in progress";
    finish_it_or(leave) = "finish it, or `{leave}`";
    disk_is_full_nothing_is_lost = "the disk is full; nothing was lost";
    make_room_then_run_same_command = "free some space, then run the same command again";
    there_is_no_permission_to_write(path) = "permission denied: cannot write {path}";
    look_at_folders_permissions_and_owner = "check the folder's permissions and owner";
    disk_fails_book_is_at_its = "disk failure; the book is at its last complete commit";
    look_at_disk_or_network_drive = "check the disk or network drive, and back up this folder";
    book_cannot_be_read_or_written = "cannot read or write the book";
    novel_doctor_says_what_is_wrong = "`novel doctor` shows what is wrong";
    resolve_foreshadowing_in_chapter_first_put(id) =
        "resolve the plot thread in a chapter first: add `回收 {id}` to its outline section";
    novel_storyline_end_first_or_give(line) =
        "`novel storyline end {line}` first, or give it another point of view in storylines/storylines.json";
    end_what_is_left_of_these =
        "end the remaining ones of these storylines first, or change their relation in storylines/storylines.json";
    change_of_character_waits(file) = "a change of this character awaits your decision: {file}";
    decide_on_change_first = "decide on the change first: `novel decide approve`, `novel decide reject`";
    change_plan_that_waits_then_novel = "edit the pending plan, then `novel plan edit`; or `novel plan reject`";
    write_these_chapters_first_novel_continue = "write these chapters first: `novel continue`; or change the plan";
    another_git_is_using_this_book = "another git process is using this book";
    lock_is_there(lock) = "the lock {lock} exists";
    at_work_process(command, pid) = "running: `{command}` (process {pid})";
    close_it_open_commit_editor_say = "close it (perhaps an open commit editor) and run again; nothing is lost";
    if_no_git_is_at_work = "if no git process is running, `novel doctor --repair` moves the lock aside";
    book_has_moved_on_meanwhile = "the book has changed in the meantime";
    you_are_changing(list) = "you are editing: {list}";
    files_of_merged_draft_are_out = "a draft's branch was merged into the book: the records of its calls in `.draft/` are out again (the draft is kept)";
    chapter_was_never_judged(chapter) = "{chapter} has no evaluation: novel did not accept it";
    filtered_file_has_edits(path, filter) = "`{path}` passes through the git filter {filter}; you have changed it, and this step brings another version of it";
    commit_filtered_file_with_git(path) = "commit it with git first: git commit -m changes -- {path}; or take the changes back: git restore -- {path}";
    git_cannot_run_filter(path, filter) = "git could not pass `{path}` through the filter {filter}; nothing has changed";
    make_filter_work_with_git(path) = "set the filter up (git lfs install, git-crypt unlock and the like) until `git add --renormalize -n -- {path}` succeeds, then run the same command again";
    save_then_run_again_your_changes = "save, then run again: your changes are committed first";
    merge_has_left_conflicts = "unresolved merge conflicts";
    resolve_files_then_git_add_them = "resolve the files, then `git add` them";
    is_in_way_drafts_are_shown(at) = "{at} is in the way: drafts are shown there";
    move_it_elsewhere = "move it elsewhere";
    draft_has_moved_on_in_staging = "the draft in staging/ has changed in the meantime";
    is_book_already(at) = "{at} is already a book";
    go_on_with_it_novel_c(at) = "continue it: `novel -C {at} continue`";
    is_in_way(at) = "{at} is in the way";
    new_book_lacks_novel_toml = "the new book has no novel.toml";
    is_kept_by_nothing_was_written(path, name) = "{path} is managed by {name}: nothing was written there";
    add_line_to_hooks_in_with(name, line) =
        "add a line to the hooks in .{name}/ (replace HOOK with the hook's name): `{line}`";
    core_hookspath_names_whose_hooks_run(path) =
        "core.hooksPath points to {path}, whose hooks run in other repositories too: nothing was written there";
    give_this_book_hooks_of_its =
        "give this book hooks of its own: `git config core.hooksPath .git/hooks`, then `novel hooks install`";
    or_add_line_to_shared_hooks(line) =
        "or add a line to the shared hooks; it does nothing in other repositories: `{line}`";
    store_is_not_in_book_chapter(chapter) = "{chapter} is not written yet";
    is_not_commit_of_this_book(commit) = "{commit} is not a commit of this book";
    book_is_there_already_nothing_has = "the book is already there; nothing changed";
    there_is_nothing_to_undo = "nothing to undo";
    there_is_nothing_to_redo = "nothing to redo";

    // Failures: features of git.
    ref_storage_is_not_files = "ref storage other than files";
    migrate_refs_to_files =
        "run `git refs migrate --ref-format=files`; where that git says that it cannot migrate reflogs, `novel clone . ../DIR` makes a copy of the book that can be used";
    object_format_is_sha = "SHA-256 object format";
    make_new_book_and_bring_chapters = "create the book in a new folder: `novel init ../DIR` makes a SHA-1 repository, whatever git's default is; then copy over what is written";
    clone_is_partial = "partial clone";
    fetch_all_or_clone_again =
        "run `git config --unset-all remote.origin.partialclonefilter && git fetch --refetch && git config --unset-all remote.origin.promisor`, or clone it again without `--filter`";
    index_is_split = "split index";
    join_split_index = "type `git config core.splitIndex false`, then `git update-index --no-split-index`";
    index_is_sparse = "sparse index";
    expand_sparse_index = "type `git sparse-checkout reapply --no-sparse-index`";

    // Failures: remote.
    has_commits_that_this_device_lacks(remote) = "{remote} has commits that this device lacks";
    sync_first_novel_sync = "sync first: `novel sync`";
    to_sync_with_every_run_novel = "to sync with every run: `novel sync --auto`";
    two_devices_have_gone_on_in = "two devices have diverged";
    novel_sync_take_theirs_take_ours = "choose one: `novel sync --take theirs`, `--take ours` or `--take later`";
    is_link_or_submodule_which_only(path) = "`{path}` is a link or a submodule, which only git can merge";
    git_merge_then_novel_sync(branch) = "`git merge {branch}`, then `novel sync`";
    utc(lease) = "{lease} (UTC)";
    wait_until_it_is_done_or = "wait until it has finished or its lease expires";
    run_novel_sync_on_that_device = "run `novel sync` on that device, then `novel sync` here";
    if_nothing_is_done_there_any = "if that device is no longer active, take over: the same command with --take-lease";
    there_is_no_git_program = "cannot find the `git` program";
    install_git_or_newer_and_put = "install git 2.29 or newer and add it to PATH; writing works without it";
    book_has_no_remote = "the book has no remote";
    novel_sync_address_novel_sync_git = "`novel sync ADDRESS`, such as `novel sync git@github.com:me/book.git`";
    folder_will_do_git_init_bare = "an empty folder works too, such as one on a drive: `novel sync ../DIR`";
    folder_is_empty_make_repository(shown) = "{shown} is empty. Make a repository for the book there?";
    folder_is_empty(shown) = "{shown} is empty, so there is nothing to sync with";
    make_repository_there(shown) =
        "to keep the book there: `git init --bare --object-format=sha1 {shown}`, then `novel sync {shown}`; connect a drive first";
    remote_has_no_book(remote) = "there is no book at {remote}";
    send_book_to_empty_remote(address) =
        "an empty repository gets one by `novel sync {address}`, typed in the folder of the book (`novel init DIR` makes one)";
    git_is_too_old_for_repository = "this git is too old for the book's repository: a newer git has set an extension that it does not know";
    install_newer_git = "install that newer git here as well: `git --version` shows which one is in use";
    remote_cannot_be_pushed_to(remote) = "{remote} can only be read from (a bundle is a single file); git cannot push to it";
    set_address_of_remote(remote) =
        "to sync, give the remote the address of a repository: `git remote set-url {remote} ADDRESS`";
    remote_has_other_hash(remote) = "{remote} is a SHA-256 repository, and a book is a SHA-1 one; the two cannot exchange commits";
    make_remote_with_sha1 =
        "make a remote for the book with `git init --bare --object-format=sha1 DIR` (on a server: choose SHA-1), then `novel sync DIR`";
    there_are_several_remotes(list) = "the book has several remotes: {list}";
    say_which_one_novel_sync(first) = "specify one: `novel sync {first}`";
    git_has_no_remote(name) = "no such remote: {name}";
    git_remote_v_lists_them_git(name) = "`git remote -v` lists them; `git remote add {name} ADDRESS` adds one";
    remote_has_another_address_already(name) = "the remote {name} already has another address";
    git_remote_add_name_address_then = "`git remote add NAME ADDRESS`, then `novel sync NAME`";
    that_address_cannot_be_used = "invalid address";
    address_or_folder_that_git_clone =
        "use an address or a folder that `git clone` accepts; one with `::`, such as `gcrypt::…`, by a name: `git remote add NAME ADDRESS`, then `novel sync NAME`";
    is_not_empty(at) = "{at} is not empty";
    choose_another_folder = "choose another folder";
    there_is_no_repository_at_or(remote) = "there is no repository at {remote}, or you have no access to it";
    git_remote_v_shows_address_drive = "`git remote -v` shows the address; an external drive must be connected";
    cannot_be_reached(remote) = "cannot reach {remote}";
    does_not_let_you_in(remote) = "{remote} denies access";
    make_git_fetch_work_first_ssh = "make `git fetch` work first: with an SSH key or a git credential helper";
    refuses(remote, name, reason) = "{remote} rejects {name}: {reason}";
    look_at_protection_of_branches_and = "check its branch protection and quota; the remote must be a bare repository";
    git_failed_with(remote) = "git failed to communicate with {remote}";
    others_keep_pushing_to(remote) = "others keep pushing to {remote}";
    of_is_another_book_two_have(branch, remote) =
        "{branch} of {remote} is another book: they have no history in common";
    use_empty_remote_nothing_has_changed = "use an empty remote; nothing has changed";
    this_is_shallow_clone_its_history = "this is a shallow clone: its history is incomplete";
    git_fetch_unshallow_brings_rest = "`git fetch --unshallow` fetches the rest";
    commit_of_holds_which_no_book(remote, path) =
        "a commit of {remote} contains `{path}`, which is not allowed in a book; it was not accepted";
    has_mib_commit_and_code_hosts(path, mib, commit) =
        "`{path}` has {mib} MiB (commit {commit}), but code hosts reject files of 100 MiB or more";
    move_it_out_of_book_and(commit) = "move it out of the book and remove it from history: `git rebase -i {commit}~1`";

    // Names: phases of the book.
    phase_quick_start = "getting started";
    phase_volume_planning = "planning the volume";
    phase_writing = "writing";
    phase_chapter_rewrite = "revising a chapter";
    phase_volume_review = "reviewing the volume";
    phase_error_retry = "waiting to retry after an error";
    phase_completed = "complete";

    // Names: steps of planning.
    step_world = "the world rules";
    step_theme = "theme and conflict";
    step_characters = "the characters";
    step_storyline = "a storyline";
    step_style = "the style";
    step_trial = "an outline";
    step_ending = "the ending";
    step_research = "research notes";
    step_regenerate = "updating the plan";
    step_rebuild = "rebuilding summaries and state";
    step_waive = "a waiver";
    step_calibration = "calibrating the judge";
    plan_stage_world = "world";
    plan_stage_theme = "theme";
    plan_stage_characters = "characters";
    plan_stage_storyline = "storyline";
    plan_stage_style = "style";
    plan_stage_schedule = "schedule";
    plan_stage_outline = "outline";
    plan_stage_contracts = "contracts";
    plan_stage_review = "review";
    plan_stage_summary = "summary";
    plan_stage_edit = "hand edit";
    plan_stage_mend = "mend";
    plan_stage_resize = "resize";
    plan_stage_proposal = "changes to approve";
    plan_stage_calibration = "calibrating the judge";
    plan_stage_fault = "unusable reply";

    // Names: stages of a chapter.
    pipeline_stage_drafting = "drafting";
    pipeline_stage_drafted = "drafted";
    pipeline_stage_refined = "refined";
    pipeline_stage_judged = "judged";
    pipeline_stage_revising = "revising";
    pipeline_stage_committed = "accepted";
    stage_draft = "draft";
    stage_scene_plan = "scene plan";
    stage_scene = "scene";
    stage_rollback = "rollback";
    stage_summarize = "summarize";
    stage_refine = "refine";
    stage_judge = "judge";
    stage_second_judge = "second judge";
    stage_polish = "polish";
    stage_revise = "revise";
    stage_rewrite = "rewrite";
    stage_edit = "hand edit";
    stage_decision = "author's decision";
    stage_fault = "unusable reply";
    stage_partial = "unfinished text";
    stage_kept = "kept text";
    words_scene_of(written, planned) = "scene {written} of {planned}";

    // Names: decisions.
    decision_continue = "continue where it was cut off";
    decision_accept = "accept it as it is";
    decision_judge = "have the judge read it again";
    decision_revise = "have the strong model revise it";
    decision_rewrite = "rewrite the whole chapter from the outline";
    decision_edit = "edit the draft in staging/ yourself";
    decision_drop = "put the new text aside; the chapter stays unchanged";
    decision_hold = "wait for the author";
    gate_pass = "pass";
    gate_polish = "polish";
    gate_revise = "revise";
    gate_rewrite = "rewrite";
    gate_pause = "pause";
    gate_force_pass = "force-passed";
    gate_author_pass = "accepted by the author";

    // Names: agents.
    agent_writer = "writer";
    agent_summarizer = "summarizer";
    agent_refiner = "refiner";
    agent_judge = "judge";
    agent_style_analyzer = "style analyzer";
    agent_world_builder = "world builder";
    agent_character_weaver = "character weaver";
    agent_plot_architect = "plot architect";

    // Names: checks and scores.
    dimension_plot_logic = "plot logic";
    dimension_character = "character";
    dimension_immersion = "immersion";
    dimension_foreshadowing = "foreshadowing";
    dimension_pacing = "pacing";
    dimension_style_naturalness = "natural style";
    dimension_emotional_impact = "emotional impact";
    dimension_storyline_coherence = "storyline coherence";
    layer_world = "world rule";
    layer_character = "character contract";
    layer_chapter = "chapter contract";
    layer_storyline = "storyline rule";
    strength_hard = "hard";
    strength_soft = "soft";
    finding_pass = "kept";
    finding_violation = "violated";
    finding_waived = "waived";
    finding_not_applicable = "not applicable";
    finding_not_checked = "not checked";
    finding_not_asked = "not asked";
    confidence_high = "high confidence";
    confidence_medium = "medium confidence";
    confidence_low = "low confidence";

    // Names: chapters.
    chapter_kind_confrontation = "confrontation";
    chapter_kind_pursuit = "pursuit";
    chapter_kind_investigation = "investigation";
    chapter_kind_negotiation = "negotiation";
    chapter_kind_revelation = "revelation";
    chapter_kind_preparation = "preparation";
    chapter_kind_journey = "journey";
    chapter_kind_respite = "respite";
    hook_question = "an open question";
    hook_danger = "danger";
    hook_reversal = "a reversal";
    hook_arrival = "an arrival";
    hook_choice = "a choice";
    hook_promise = "a coming event";
    hook_rest = "a quiet close";
    edge_shape_question = "a question";
    edge_shape_ellipsis = "an ellipsis";
    edge_shape_speech = "a line of dialogue";
    edge_shape_short_line = "a short line of its own";
    edge_shape_time = "the time";
    edge_shape_weather = "the weather";

    // Names: paths of the state.
    path_field(name, field) = "{field} of {name}";
    path_relationship(one, other) = "feelings of {one} for {other}";
    opening_bracket = " (";
    closing_bracket = ")";
    path_plot_thread(name) = "plot thread {name}";
    path_time = "time of the story";
    path_ongoing_events = "ongoing events";
    field_version = "version";
    field_last_chapter = "last chapter";
    field_characters = "characters";
    field_items = "items";
    field_locations = "places";
    field_factions = "factions";
    field_world = "world";
    field_open_threads = "open plot threads";
    field_name = "name";
    field_location = "location";
    field_mood = "mood";
    field_inventory = "belongings";
    field_relationships = "relationships";
    field_owner = "owner";
    field_count = "number";
    field_status = "condition";

    // Names: things of the book.
    name_with_id(name, id) = "{name} ({id})";
    objective_of_chapter(n) = "objective {n}";

    // Names: storylines.
    status_active = "active";
    status_dormant = "dormant";
    status_planned = "planned";
    status_ended = "ended";
    volume_role_primary = "primary";
    volume_role_secondary = "secondary";
    volume_role_seasoning = "a touch";
    reach_novel = "the whole book";
    reach_multi_volume = "several volumes";
    reach_single_volume = "one volume";

    // Names: foreshadowing.
    action_planted = "planted";
    action_advanced = "advanced";
    action_resolved = "resolved";
    scope_short = "short";
    scope_medium = "medium";
    scope_long = "long";
    standing_overdue = "overdue";
    standing_due = "due";
    standing_neglected = "neglected";
    standing_advanced = "advanced";
    standing_planted = "planted";
    standing_planned = "planned";
    standing_resolved = "resolved";
    reason_retired = "the character has retired";
    reason_forgotten = "no longer mentioned";

    // Names: style.
    style_source_original = "the author's own prose";
    style_source_extracted = "extracted from written chapters";
    style_source_reference = "another author's prose";
    style_source_preset = "a built-in style";
    style_source_deferred = "neutral until extracted from the first chapter";
    measured_sentence_length_spread = "sentence length, spread between texts";
    measured_dialogue_spread = "dialogue, spread between texts";
    measured_connectives = "connectives/1,000";
    measured_first_person = "first person/1,000";
    style_measure_sentence_length = "sentence length";
    style_measure_short_sentences = "short sentences";
    style_measure_dialogue = "dialogue";
    style_measure_paragraph_length = "paragraph length";
    style_measure_modal_particles = "modal particles/1,000";
    style_measure_commas = "commas per sentence";
    style_measure_beats = "stock beats/1,000";
    style_measure_stillness = "silence and pauses/1,000";
    style_measure_not_but = "不是…，是…/1,000";
    style_measure_skeletons = "repeated sentence patterns";
    style_measure_ai_phrases = "house list/1,000";
    style_measure_recycled = "recycled from twenty chapters";

    // Names: changes.
    item_kind_rule = "world rule";
    item_kind_character_contract = "character contract";
    item_kind_character = "character";
    item_kind_storyline = "storyline";
    item_kind_outline = "outline section";
    item_kind_foreshadowing = "planned plot thread";
    item_kind_schedule = "schedule";
    item_kind_chapter_contract = "chapter contract";
    item_kind_chapter = "chapter";
    change_kind_added = "added";
    change_kind_changed = "changed";
    change_kind_removed = "removed";

    // Names: transactions.
    kind_init = "new book";
    kind_plan = "plan";
    kind_chapter = "chapter";
    kind_review = "review";
    kind_retire = "retirement";
    kind_world = "world";
    kind_rebuild = "rebuild";
    kind_rollback = "rollback";
    kind_undo = "undo";
    kind_redo = "redo";
    kind_hand_edit = "hand edit";
    kind_import = "import";
    kind_sync_merge = "sync";
    kind_config = "settings";
    kind_migrate = "format migration";
    kind_quality = "quality brief";
    kind_adopt = "adoption";
    kind_stage = "draft";
    kind_archive = "archive";

    // Names: figures.
    measure_score = "mean score";
    measure_style = "naturalness of style";
    measure_compliance = "chapters that follow all rules";
    measure_conduct = "character contracts followed";
    measure_errors = "consistency errors per 100 chapters";
    measure_foreshadowing = "due plot threads resolved";
    measure_convergence = "crossovers as planned";
    measure_chained = "chapter preconditions met";
    measure_leaks = "chapters that leak between storylines";
    measure_minutes = "minutes per chapter";
    measure_cost = "cost per chapter";
    measure_revisions = "revisions per chapter";
    measure_cached = "tokens from cache";
    measure_contradictions = "contradictions per 100 chapters";
    measure_author = "chapters accepted by you";
    measure_first_chapter = "minutes to the first chapter";

    // Names: parts of a prompt.
    part_active_line = "memory of the active storyline";
    part_adjacent_lines = "neighboring storylines";
    part_beside = "other earlier chapters";
    part_brief = "brief";
    part_cast = "characters of the storyline";
    part_chapter = "chapter number";
    part_chapter_memory = "chapter memory";
    part_characters = "characters";
    part_contract = "chapter contract";
    part_cross_references = "mentions of other storylines";
    part_drift = "style correction";
    part_worn = "recently worn-out phrases";
    part_entities = "IDs of characters and items";
    part_excerpts = "excerpts from your samples";
    part_fixes = "required fixes";
    part_frozen_lines = "frozen storylines";
    part_genre = "genre";
    part_genre_notes = "genre guidelines";
    part_hints = "the writer's remarks";
    part_instructions = "instructions";
    part_issues = "issues";
    part_ledger = "plot threads";
    part_lines = "storylines";
    part_max_changed = "maximum change";
    part_max_words = "maximum characters";
    part_mentions = "mentions of other storylines";
    part_measured = "measurements";
    part_memory = "memory";
    part_min_words = "minimum characters";
    part_next_title = "next title";
    part_objectives = "objectives";
    part_opening = "rules for the first chapters";
    part_origin = "origin of the samples";
    part_other_lines = "other storylines";
    part_overview = "overview of the volume";
    part_pages = "world and notes";
    part_pass = "pass";
    part_passages = "related earlier passages";
    part_phrases = "house list";
    part_pov = "point of view";
    part_previous_ending = "previous scene of the storyline";
    part_questions = "open questions";
    part_reader = "reader's ledger";
    part_reading = "reading";
    part_recent = "recent summaries";
    part_remarks = "remarks";
    part_round = "round";
    part_rule_ids = "rule IDs";
    part_samples = "samples";
    part_scene = "this scene";
    part_scene_plan = "scene plan";
    part_section = "outline section";
    part_so_far = "text so far";
    part_state = "state";
    part_storyline = "storyline";
    part_storyline_rules = "storyline rules";
    part_style = "style";
    part_text = "text";
    part_threads = "open ends";
    part_title = "title";
    part_violations = "violated rules";
    part_voices = "voices of the characters";
    part_volume_lines = "storylines of the volume";
    part_world_rules = "world rules";
    cut_some_passages = "some related earlier passages";
    cut_passages = "related earlier passages";
    cut_pages = "passages from the world and your notes";
    cut_some_samples = "some excerpts from your samples";
    cut_samples = "excerpts from your samples";
    cut_cast = "minor characters of the storyline";
    cut_minor_cast = "characters without a file";
    cut_some_worn = "some of the recently worn-out phrases";
    cut_oldest_summary = "summaries before the last three";
    cut_older_summary = "all summaries but the last";
    cut_worn = "recently worn-out phrases";
    cut_reader = "the reader's ledger";
    cut_chapter_memory = "the chapter memory";
    cut_overview = "distant chapters in the overview";
    cut_some_extras = "some characters not named in the plan";
    cut_extras = "all characters not named in the plan";
    cut_open_foreshadowing = "plot threads not used in this chapter";
    cut_state = "less important facts of the state";
    cut_profiles = "the ends of profiles";
    cut_brief = "the end of the brief";
    cut_rules = "less important world rules";
    cut_contracts = "less important contracts";
    cut_style = "less important style directives";
    cut_clauses = "less important clauses of the chapter contract";
    cut_named = "some characters named in the plan";
}
