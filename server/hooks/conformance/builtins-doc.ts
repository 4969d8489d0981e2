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
    "A hook `{type: builtin, command: NAME, args: [...]}` runs one of these. **Runs** is where it runs when the hook does not",
    "say `run_on: server` or `run_on: agent`; a place in brackets is the other one that may be asked for, and publishing",
    "refuses every other. The agent's side is the local executor, or docker-agent itself with the exported policy; the",
    "server leaves those hooks out of what it runs. Attached to other events than those it is made for, a builtin does the",
    "same or nothing.",
    "",
    "| builtin | made for | arguments | runs | what it does |",
    "| --- | --- | --- | --- | --- |",
    ...BUILTIN_NAMES.map(row),
    "",
    "## Profiles",
    "",
    "A builtin behaves as in the profile of its policy. In a profile older than its first one it is not there, and a policy that",
    "names it is not published.",
    "",
    "| profile | builtin | what is new |",
    "| --- | --- | --- |",
    ...PROFILES.flatMap(changesIn),
    "",
    "An *instruction* is context with a key. docker-agent keeps it, compares it with the one it has, and sends the model only what",
    "changed.",
    "",
    "## Worth knowing",
    "",
    "- `limit_large_tool_results` runs after every other hook of its event, wherever it stands, and so cuts and files the",
    "  redacted text. In docker-agent itself, which runs them side by side, the limiter's text stands and keeps the secrets.",
    "- `redact_secrets` runs on the server unless asked otherwise, because an agent without the local executor would go",
    "  without it. With the local executor write `run_on: agent`: secrets then stay on the agent's machine.",
    "- `budget_guard` is Quarterdeck's own and runs on its server only; docs/budgets.md says what it reserves and when it",
    "  blocks. Where it fails it blocks too, whatever its `on_error` says. docker-agent knows no builtin of this name, so an",
    "  exported policy has a command in its place that blocks every model call and says to enrol the agent instead. A text",
    "  on trial spends nothing: there it says nothing.",
    "- `repeat_guard` is kept by the server too, and exported in the same way; docs/runaway-rules.md says what each rule counts.",
    "  A text on trial makes no call: there it counts nothing and halts nobody.",
    "- `add_context` knows Go's own functions, not `toJSON` and `truncate`. A key that is missing is an error, and an error gives no",
    "  context at all. Its texts are never read as a hook's output.",
    "- `transform_json` fails for an answer that is no JSON object; under `on_error: warn` the answer then stays as it is.",
    "- `safer_shell` of `2026-11` is no gate. Its labels are in the metadata on the preempt lane.",
    "- `add_date` gives the day of the machine it runs on; on the server that may be another day than the agent's.",
    "- The builtins that run git start nothing that the repository's configuration names: no monitor, filter, hook, external",
    "  diff or signature check, and no fetch. Changes inside submodules do not show, moved ones do.",
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
