/** docs/builtins.md, rendered from the table of builtins. builtins-doc.test.ts fails when the file is stale. */
import { BUILTIN_NAMES, BUILTINS, type BuiltinFacts, type BuiltinName } from "../contract/builtins.ts";
import { PROFILES, type Profile } from "../contract/events.ts";

/** The whole document. */
export function builtinsDocument(): string {
  return [
    "# Builtins",
    "",
    "<!-- Rendered from server/hooks/contract/builtins.ts; `UPDATE_DOCS=1 npx vitest run server/hooks/conformance/builtins-doc` writes it. -->",
    "",
    "A hook `{type: builtin, command: NAME, args: [...]}` runs one of these. The column **runs** is the default. `run_on: server` or",
    "`run_on: agent` in the hook chooses the side. A side in brackets may be chosen too, and publishing refuses any other.",
    "The agent's side is the local executor, or docker-agent itself with the exported policy. The server does not run those",
    "hooks. On other events than those it is made for, a builtin does the same or nothing.",
    "",
    "| builtin | made for | arguments | runs | what it does |",
    "| --- | --- | --- | --- | --- |",
    ...BUILTIN_NAMES.map(row),
    "",
    "## Profiles",
    "",
    "A builtin behaves as in the profile of its policy. A policy in a profile older than the builtin's first one cannot name it:",
    "publishing refuses it.",
    "",
    "| profile | builtin | what is new |",
    "| --- | --- | --- |",
    ...PROFILES.flatMap(changesIn),
    "",
    "An *instruction* is context with a key. docker-agent keeps it, compares it with the one it has, and sends the model only",
    "changes.",
    "",
    "## Worth knowing",
    "",
    "- `limit_large_tool_results` runs after every other hook of its event, whatever its position. So it cuts and files the",
    "  redacted text. docker-agent itself runs them in parallel, and the limiter's text keeps the secrets.",
    "- `redact_secrets` runs on the server by default, because an agent without the local executor would run without it.",
    "  With the local executor write `run_on: agent`. Secrets then stay on the agent's machine.",
    "- `budget_guard` belongs to Quarterdeck and runs only on its server. [Budgets](budgets.md) says what it reserves and when it",
    "  blocks. If it fails it blocks too, whatever its `on_error` says. docker-agent has no builtin of this name. So an exported",
    "  policy has a command in its place, which blocks every model call and says to enrol the agent instead. In the playground it",
    "  spends nothing and has no verdict.",
    "- `repeat_guard` runs on the server too, and is exported in the same way. [Runaway rules](runaway-rules.md) says what each rule",
    "  counts. In the playground it counts nothing and halts no agent.",
    "- `add_context` knows Go's own functions, not `toJSON` and `truncate`. A missing key is an error, and an error gives no",
    "  context at all. Its texts are never read as a hook's output.",
    "- `transform_json` fails for an answer that is not a JSON object. Under `on_error: warn` the answer then stays as it is.",
    "- `safer_shell` of `2026-11` is not a gate. Its labels are in the metadata on the preempt lane.",
    "- `add_date` gives the day of the machine it runs on. On the server that may be another day than the agent's.",
    "- The builtins that run git start nothing that the repository's configuration names: no monitor, filter, hook, external",
    "  diff or signature check, and no fetch. Changes inside submodules do not show. Moved submodules do.",
    "- `http_post` refuses addresses that are not public, after names are resolved and at every redirect, and uses no proxy.",
    "- `snapshot` keeps copies of files, secrets included, in the data directory for at least a week.",
    "",
  ].join("\n");
}

function changesIn(profile: Profile): string[] {
  return BUILTIN_NAMES.flatMap((name) => {
    const { since, changes }: BuiltinFacts = BUILTINS[name];
    const what = since === profile ? "New." : changes?.[profile];
    return what === undefined ? [] : [`| \`${profile}\` | \`${name}\` | ${what} |`];
  });
}

function row(name: BuiltinName): string {
  const { madeFor, args, places, says }: BuiltinFacts = BUILTINS[name];
  const [here, ...elsewhere] = places;
  const runs = [here, ...elsewhere.map((place) => `(${place})`)].join(" ");
  const events = madeFor.map((event) => `\`${event}\``).join(", ");
  return `| \`${name}\` | ${events} | ${args} | ${runs} | ${says} |`.replaceAll("|  |", "| |");
}
