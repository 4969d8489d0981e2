/** The documents that the console serves under /docs, and their views. */
import { z } from "zod";

export const DOCUMENT_GROUPS = ["Start", "Concepts", "Guides", "Reference"] as const;
type DocumentGroup = (typeof DOCUMENT_GROUPS)[number];

export interface DocumentEntry {
  /** The address below /docs. */
  readonly slug: string;
  /** The file, from the project's root. */
  readonly file: string;
  readonly group: DocumentGroup;
  /** The title of a list, if the document's own heading does not say enough. */
  readonly title?: string;
  readonly about: string;
  /** Other words that people search for. */
  readonly keywords: readonly string[];
}

type Options = Partial<Pick<DocumentEntry, "file" | "title">>;
const document =
  (group: DocumentGroup) =>
  (slug: string, about: string, keywords = "", options: Options = {}): DocumentEntry => ({
    ...{ slug, file: options.file ?? `docs/${slug}.md`, group, about },
    keywords: keywords.split(", ").filter(Boolean),
    ...(options.title === undefined ? {} : { title: options.title }),
  });
const start = document("Start");
const concept = document("Concepts");
const guide = document("Guides");
const reference = document("Reference");
const client = (name: string, title: string) =>
  reference(`clients/${name}`, `${title}: rules that hold, gaps, and enrolment`, "client, hooks, supported agents");

export const DOCUMENTS: readonly DocumentEntry[] = [
  start(
    "tutorial",
    "Nine steps from npm start to an evidence file",
    "getting started, quick start, first steps, setup",
  ),
  start("whats-new", "Changes in each version", "changelog, release notes, version", {
    ...{ file: "CHANGELOG.md", title: "What's new" },
  }),
  concept("concepts", "The terms that the pages use, and how they relate", "introduction, overview, basics"),
  concept("glossary", "One meaning for each word", "terms, vocabulary, definitions"),
  concept("architecture", "The path of a call, and the parts that store it", "design, internals, components"),
  guide(
    "dialects",
    "Enrol a client, and see its events, tools and gaps",
    "enrolment, connect, install hooks, supported agents, api key, agent key",
  ),
  guide("rules", "Allow, ask or deny by what a call does", "matcher, condition, command, path, host, block"),
  guide("packs", "Ready-made policies for common risks", "templates, gallery, git safety, starter policy"),
  guide(
    "masking",
    "Hide personal data, own patterns and fields before they are stored",
    "redact, pii, privacy, gdpr, e-mail, credit card, iban, national id, data lifecycle",
  ),
  guide(
    "backtests",
    "Try a policy before it binds",
    "backtest, flips, looser, less strict, recorded calls, publish, replay",
  ),
  guide("testing-policies", "Try a policy, and test it in CI", "playground, dry run, test cases, simulate, junit"),
  guide(
    "approvals",
    "Send a call to a person, answer it, and except it",
    "ask, slack, mail, notifications, exceptions, approver, timezone",
  ),
  guide(
    "rollout",
    "Canaries with limits that withdraw themselves",
    "canary, progressive delivery, rollback, limits, gradual",
  ),
  guide("halts", "Stop agents at once, and resume them", "kill switch, emergency stop, stop agents, quarantine, panic"),
  guide("runaway-rules", "Halt an agent that repeats itself", "loop, stuck, repeated calls, circuit breaker"),
  guide("budgets", "Limit spend by agent, group, model or workspace", "limit, quota, cost, money, cap"),
  guide(
    "people",
    "Know for whom an agent works, and find the calls of a person",
    "person, user, owner, who, identity, attribution, service, ci",
  ),
  guide("drills", "Prove that a client obeys a denial", "test a client, verify enrolment, self-test"),
  guide("fleet", "Agents, tags, groups, and the tools they use", "inventory, labels, mcp servers, skills"),
  guide(
    "extensions",
    "Accept versions of skills, plugins and MCP servers",
    "inventory, digest, hash, slash commands, allow list, supply chain, changed skill",
  ),
  guide(
    "judging",
    "Measure and improve a model that judges calls",
    "judge, llm, model, labels, accuracy, false positives",
  ),
  guide("evaluators", "Ask a decision service of your own", "opa, cedar, cerbos, external policy, webhook"),
  guide("importing", "Turn a client's own settings into a policy", "migrate, settings.json, permissions"),
  guide("exporting", "Write a policy as docker-agent's own hooks", "export, yaml, release, offline"),
  guide("local-executor", "Decide on the agent's machine", "offline, spool, latency"),
  guide("mcp", "Let an agent ask about its own permissions", "model context protocol, typed client, sdk, api"),
  guide("client-telemetry", "Receive tokens and costs from clients", "otlp, opentelemetry, tokens, metrics in"),
  guide(
    "telemetry",
    "Send traces and metrics to your collector",
    "otlp, opentelemetry, grafana, prometheus, metrics out",
  ),
  guide(
    "siem",
    "Send the record to your SIEM or to a store",
    "splunk, elastic, syslog, ocsf, s3, ndjson, stream, export, log collector, soc",
  ),
  guide(
    "sign-in",
    "Ways to sign in, and confirming who you are",
    "login, logout, password, passkey, sso, oidc, step-up, two factor",
  ),
  guide(
    "operations",
    "Back up, upgrade, verify and size an installation",
    "backup, restore, upgrade, docker, proxy, retention, delete data, evidence, doctor",
  ),
  guide(
    "cluster",
    "Several nodes, a replica, and failures of each",
    "high availability, patroni, haproxy, failover, kubernetes",
  ),
  reference(
    "events",
    "Events, and the effects of a hook on each",
    "hook points, pre_tool_use, permission_decision, wire format",
  ),
  reference("builtins", "Checks that need no program", "built-in hooks, functions"),
  reference("command-line", "All commands, and what each of them needs", "cli, scripts, terminal, automation"),
  reference("lint-rules", "Findings of the editor, their reasons and fixes", "warnings, advice, linter, problems", {
    title: "Lint rules",
  }),
  reference(
    "faults",
    "The verdict of a gate for each kind of failure",
    "failure policy, fail closed, fail open, on_error, timeout, error",
  ),
  client("claude-code", "Claude Code"),
  client("docker-agent", "docker-agent"),
  client("codex", "Codex"),
  client("copilot", "Copilot"),
  client("cursor", "Cursor"),
  client("gemini", "Gemini CLI"),
  client("qwen", "Qwen Code"),
  client("cline", "Cline"),
  client("opencode", "opencode"),
  reference(
    "controls",
    "SOC 2, ISO 42001 and the EU AI Act: what supports each control, and its evidence",
    "compliance, audit, mapping, article 12, article 14, soc2, iso 42001, ai act, evidence",
  ),
  reference("performance", "Measured figures", "latency, throughput, benchmark, speed"),
  reference("where-time-goes", "Profiles behind the measured figures", "profiling, bottleneck, slow"),
];

const heading = z.strictObject({ depth: z.int().min(1).max(6), text: z.string(), anchor: z.string() });
export type HeadingView = z.infer<typeof heading>;

export const documentListView = z.array(
  z.strictObject({ slug: z.string(), title: z.string(), group: z.enum(DOCUMENT_GROUPS), about: z.string() }),
);
export type DocumentListView = z.infer<typeof documentListView>;

export const documentView = z.strictObject({
  ...{ slug: z.string(), file: z.string(), title: z.string(), markdown: z.string() },
  headings: z.array(heading),
});
export type DocumentView = z.infer<typeof documentView>;

/** Titles and headings for the command palette. */
export const documentIndexView = z.array(
  z.strictObject({
    ...{ slug: z.string(), title: z.string(), about: z.string(), keywords: z.array(z.string()) },
    headings: z.array(z.strictObject({ text: z.string(), anchor: z.string() })),
  }),
);
export type DocumentIndexView = z.infer<typeof documentIndexView>;
