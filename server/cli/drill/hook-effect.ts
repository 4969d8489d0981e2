/**
 * The effect of one hook's end on the call that it was asked about, by the rules of its client: exit codes, output,
 * failures. True: the call does not happen. A case without a rule lets it happen, as in most clients.
 */

import { type ClientModel, clientModels, dialectOf, type Json } from "../../dialects/index.ts";
import type { ClientName } from "../../dialects/schema.ts";
import type { ConfiguredHook } from "./configured-hook.ts";
import type { HookRun } from "./run-hook.ts";

export interface AskedHook {
  readonly hook: Pick<ConfiguredHook, "event" | "blocksOnFailure">;
  readonly payload: Json;
}
type Exited = Extract<HookRun, { kind: "exited" }>;
type Answered = Extract<HookRun, { kind: "answered" }>;

interface ClientRules {
  readonly exited: (run: Exited, asked: AskedHook) => boolean;
  readonly answered: (run: Answered, asked: AskedHook) => boolean;
  /** Time ran out, or nothing could be asked. */
  readonly failed: (kind: "timed_out" | "failed", asked: AskedHook) => boolean;
}

export function isBlocked(client: ClientName, run: HookRun, asked: AskedHook): boolean {
  if (run.kind === "thrown") return true;
  if (run.kind === "returned") return false;
  const rules = RULES[client];
  if (run.kind === "exited") return rules.exited(run, asked);
  if (run.kind === "answered") return rules.answered(run, asked);
  return rules.failed(run.kind, asked);
}

const never = () => false;
const whenAsked = (_: unknown, { hook }: AskedHook): boolean => hook.blocksOnFailure;
const isSuccess = ({ status }: Answered): boolean => status >= 200 && status < 300;

/** The JSON object that a text is; null for any other text. */
function objectIn(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** The refusal in a body, as the client's model reads it. */
function refusesBy(model: ClientModel, eventOf = (event: string) => event) {
  return (body: Json | null, { hook, payload }: AskedHook): boolean => {
    if (body === null) return false;
    return model(body, { event: eventOf(hook.event), payload, interactive: true }).refused;
  };
}

const claudeRefuses = refusesBy(clientModels["claude-code"]);
const codexRefuses = refusesBy(clientModels.codex);
const geminiRefuses = refusesBy(clientModels.gemini);
const copilotRefuses = refusesBy(clientModels.copilot);
const qwenRefuses = refusesBy(clientModels.qwen);
const cursorRefuses = refusesBy(clientModels.cursor);
const clineRefuses = refusesBy(clientModels.cline, (event) => dialectOf("cline").read({}, event).ext.client_event);

/** Code 2 blocks with any output. On other codes the answer decides, and without an answer the hook failed. */
const claudeCode: ClientRules = {
  exited(run, asked) {
    if (run.code === 2) return true;
    const body = objectIn(run.stdout);
    if (body !== null) return claudeRefuses(body, asked);
    return run.code !== 0 && asked.hook.blocksOnFailure;
  },
  answered(run, asked) {
    if (isSuccess(run) && run.body.trim() === "") return false;
    const body = isSuccess(run) ? objectIn(run.body) : null;
    return body === null ? asked.hook.blocksOnFailure : claudeRefuses(body, asked);
  },
  failed: whenAsked,
};

/** A refusal by exit code needs a message; an answer counts only with code 0. */
const byWords = (refuses: (body: Json | null, asked: AskedHook) => boolean): ClientRules => ({
  exited(run, asked) {
    if (run.code === 2) return run.stderr.trim() !== "";
    return run.code === 0 && refuses(objectIn(run.stdout), asked);
  },
  answered: (run, asked) => isSuccess(run) && refuses(objectIn(run.body), asked),
  failed: never,
});

/** An answer counts on any code, also on stderr; other text refuses with a code above 1. */
const gemini: ClientRules = {
  exited(run, asked) {
    const text = run.stdout.trim() === "" ? run.stderr : run.stdout;
    const body = objectIn(text);
    if (body !== null) return geminiRefuses(body, asked);
    return run.code > 1 && text.trim() !== "";
  },
  answered: never,
  failed: never,
};

/** An error before a tool refuses, running out of time does not; on a prompt nothing but an answer counts. */
const copilot: ClientRules = {
  exited(run, asked) {
    if (run.code !== 0) return isToolGate(asked);
    return copilotRefuses(objectIn(run.stdout), asked);
  },
  answered: (run, asked) => (isSuccess(run) ? copilotRefuses(objectIn(run.body), asked) : isToolGate(asked)),
  failed: (kind, asked) => kind === "failed" && isToolGate(asked),
};
const isToolGate = ({ hook }: AskedHook): boolean => hook.event.toLowerCase() === "pretooluse";

/** Reads the last object of the output; output that is not an object blocks a call. */
const cursor: ClientRules = {
  exited(run, asked) {
    if (run.code === 2) return true;
    if (run.code !== 0 || run.stdout.trim() === "") return asked.hook.blocksOnFailure;
    const body = objectIn(run.stdout) ?? objectIn(/\{[^{}]*\}\s*$/.exec(run.stdout)?.[0] ?? "");
    return body === null ? isToolGate(asked) || asked.hook.blocksOnFailure : cursorRefuses(body, asked);
  },
  answered: never,
  failed: whenAsked,
};

const cline: ClientRules = {
  exited: (run, asked) => run.code === 0 && clineRefuses(objectIn(run.stdout), asked),
  answered: never,
  failed: never,
};

/** The native rules: a failed hook blocks where the event or the hook says so, and an unknown word is a failure. */
const dockerAgent: ClientRules = {
  exited(run, asked) {
    if (run.code === 2) return true;
    if (run.code !== 0) return asked.hook.blocksOnFailure;
    const text = run.stdout.trim();
    if (!text.startsWith("{")) return false;
    const body = objectIn(text);
    return body === null ? asked.hook.blocksOnFailure : nativeRefuses(body, asked);
  },
  answered: never,
  failed: whenAsked,
};

function nativeRefuses(body: Json, { hook }: AskedHook): boolean {
  const specific = body.hook_specific_output;
  const verdict =
    typeof specific === "object" && specific !== null ? (specific as Json).permission_decision : undefined;
  if (body.decision === "block" || body.continue === false || verdict === "deny") return true;
  return body.decision !== undefined && body.decision !== "" && hook.blocksOnFailure;
}

const RULES: Readonly<Record<ClientName, ClientRules>> = {
  "docker-agent": dockerAgent,
  "claude-code": claudeCode,
  codex: byWords(codexRefuses),
  qwen: byWords(qwenRefuses),
  gemini,
  copilot,
  cursor,
  cline,
  opencode: { exited: never, answered: never, failed: never },
};
