/** The agent API's way to the effective policy: conditional, long-polling, signed. */
import { z } from "zod";
import type { AgentActor } from "../../access/actor.ts";
import { type AgentAnswer, type AgentRequest, type AgentRoute, jsonAnswer } from "../../access/agent-api-types.ts";
import { EXECUTOR_POLICY_TYPE } from "../../access/local-executor-schema.ts";
import type { ExportRelease } from "../../dialects/docker-agent/index.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import { EXECUTOR_HEADER } from "../../platform/answer-mac.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import type { Secrets } from "../../platform/secrets.ts";
import { agentPolicyView, executorPolicyView, RELEASE_CHARACTERS_MAX, signingKeyView } from "../schema.ts";
import { createRepresentations, type PolicyFormat, type Representation } from "./agent-policy-response.ts";
import { attest, readNonce, readSequence } from "./attestation.ts";
import { findAgentClient } from "./client-repository.ts";
import { CLIENT_VERSION_HEADER, type ClientSigns, versionIn } from "./client-signs.ts";
import { createRefusalNotes } from "./executor-refusals.ts";
import { chooseRelease } from "./native-export.ts";
import type { Plans } from "./plans.ts";
import { createPolicyWatch } from "./watch.ts";

const WAIT_SECONDS_MAX = 60;

export interface PolicyRoutesOptions {
  readonly db: Database;
  readonly log: Log;
  readonly plans: Plans;
  readonly bus: Bus;
  readonly clientSigns: ClientSigns;
  /** Told of a call for the policy, with the request's `Quarterdeck-Executor`. */
  readonly executorCalls: { notePoll(actor: AgentActor, stated: string | undefined): void };
  readonly secrets: Pick<Secrets, "signingKey" | "signingPublicKey" | "signingKeyId">;
}

/** A policy's bytes, and the counter of changes that they were read at. */
interface Current extends Representation {
  readonly sequence: number;
}

export function policyRoutes(options: PolicyRoutesOptions): readonly AgentRoute[] {
  const { db, log, plans, bus, secrets, clientSigns, executorCalls } = options;
  const represent = createRepresentations(secrets);
  const watch = createPolicyWatch(bus);
  const noteRefusals = createRefusalNotes(db, bus, log);
  const pem = secrets.signingPublicKey.export({ type: "spki", format: "pem" }).toString();
  const key = { keyid: secrets.signingKeyId, algorithm: "ed25519" as const, public_key: pem };

  async function current(request: AgentRequest, format: PolicyFormat, sequenceMin = 0): Promise<Current> {
    const { actor } = request;
    const plan = await plans.planFor(actor, sequenceMin);
    const chosen = await chosenRelease(db, request, format);
    return { ...represent(plan, format, { agentId: actor.id, chosen }), sequence: plan.sequence };
  }

  async function policy(request: AgentRequest): Promise<AgentAnswer> {
    const format = formatOf(request.header("accept") ?? "");
    const waitMs = waitOf(request.query.get("wait")) * 1_000;
    const known = request.header("if-none-match") ?? "";
    noteRefusals(request.actor, request.header("quarterdeck-refused"));
    const nonce = readNonce(request.header("quarterdeck-nonce"));
    const first = await current(request, format, readSequence(request.header("quarterdeck-sequence")));
    clientSigns.note(request.actor, { version: request.header(CLIENT_VERSION_HEADER) });
    clientSigns.notePoll(request.actor, first.revision);
    if (format === "executor") executorCalls.notePoll(request.actor, request.header(EXECUTOR_HEADER));
    const isHeld = waitMs > 0 && isKnown(known, first.etag);
    const said = isHeld ? await nextOf(request, format, first, waitMs) : first;
    if (said.revision !== first.revision) clientSigns.notePoll(request.actor, said.revision);
    return answerOf(said, known, attest(secrets, request.actor, { ...said, nonce, nowMs: Date.now() }));
  }

  /** The representation once it is another one, or the same at the end of the wait. */
  async function nextOf(request: AgentRequest, format: PolicyFormat, first: Current, waitMs: number) {
    const { actor, signal, draining } = request;
    const endMs = performance.now() + waitMs;
    const watching = watch.begin(actor.workspaceId, actor.id);
    try {
      // Read again once we listen: what changed before that rang no bell.
      let now = await current(request, format);
      while (now.etag === first.etag && !signal.aborted && !draining.aborted) {
        const leftMs = endMs - performance.now();
        if (leftMs <= 0) break;
        // A policy that is only observed is in force at an instant that rings no bell either.
        const { changesAtMs } = await plans.planFor(actor);
        const nextMs = changesAtMs === null ? leftMs : Math.max(1, changesAtMs - Date.now());
        await watching.changed(Math.min(leftMs, nextMs), [signal, draining]);
        now = await current(request, format);
        // The key may have been revoked during the wait, even if no bus event arrived.
        if (!signal.aborted) await request.confirm();
      }
      return now;
    } finally {
      watching.stop();
    }
  }

  return [
    {
      method: "GET",
      path: "/api/v1/policy",
      access: "agent:policy",
      // An agent that gets no answer keeps its current policy.
      loadClass: () => "dispatch",
      isHeldOpen: true,
      handle: policy,
      docs: POLICY_DOCS,
    },
    {
      method: "GET",
      path: "/api/v1/signing-key",
      access: "open",
      handle: () => jsonAnswer(key, 200, { "cache-control": "public, max-age=300" }),
      docs: {
        summary: "The public key that policies are signed with.",
        answers: { 200: { description: "An Ed25519 key.", body: { "application/json": signingKeyView } } },
        errors: [],
      },
    },
  ];
}

/** For YAML: the release that the request names, else the version in its header, else the version that the agent reported last. */
async function chosenRelease(db: Database, request: AgentRequest, format: PolicyFormat): Promise<ExportRelease> {
  const { actor, query } = request;
  const asked = query.get("release") ?? undefined;
  const agent = format === "yaml" ? await findAgentClient(db.prisma, actor.workspaceId, actor.id) : null;
  const isOther = agent === null || (agent.client !== null && agent.client !== "docker-agent");
  if (isOther) return chooseRelease(asked, null);
  const stated = versionIn(request.header(CLIENT_VERSION_HEADER));
  return chooseRelease(asked, { client: "docker-agent", clientVersion: stated ?? agent.clientVersion });
}

function answerOf(said: Representation, known: string, attestation: string): AgentAnswer {
  const { body, contentType, etag, revision, signature } = said;
  const headers = {
    etag,
    vary: "Accept",
    "cache-control": "private, no-cache",
    "quarterdeck-revision": revision,
    "quarterdeck-signature": signature,
    "quarterdeck-attestation": attestation,
  };
  if (isKnown(known, etag)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, "content-type": contentType }, body };
}

/** If-None-Match, by RFC 9110: a list of tags or `*`, compared weakly. */
function isKnown(header: string, etag: string): boolean {
  return header
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === "*" || tag === etag);
}

function waitOf(stated: string | null): number {
  if (stated === null) return 0;
  const seconds = /^\d{1,3}$/.test(stated) ? Number(stated) : Number.NaN;
  if (seconds <= WAIT_SECONDS_MAX) return seconds;
  const says = `wait is a whole number of seconds, at most ${WAIT_SECONDS_MAX}.`;
  throw new AppError("invalid_input", undefined, { says });
}

const YAML_TYPES = new Set(["application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml"]);

/** JSON unless YAML is wanted more, or the executor's own type is asked for by name. */
function formatOf(accept: string): PolicyFormat {
  if (accept.trim().toLowerCase() === EXECUTOR_POLICY_TYPE) return "executor";
  let json = 0;
  let yaml = 0;
  for (const one of accept.toLowerCase().split(",")) {
    const [type = "", ...parameters] = one.split(";").map((part) => part.trim());
    const stated = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = stated === undefined ? 1 : Number(stated.slice(2)) || 0;
    if (YAML_TYPES.has(type)) yaml = Math.max(yaml, weight);
    else if (type === "application/json") json = Math.max(json, weight);
  }
  return yaml > json ? "yaml" : "json";
}

const ATTESTATION_DOCS =
  "A JSON Web Token (EdDSA) with `sub` (the agent), `workspace`, `key`, `nonce`, `iat`, `exp`, `sequence`, `revision` and the `sha256` of the policy's bytes.";

const POLICY_DOCS: AgentRoute["docs"] = {
  summary: "The effective policy of the calling agent, signed; `wait` holds the answer until it changes.",
  query: {
    wait: {
      schema: z.int().min(0).max(WAIT_SECONDS_MAX).optional(),
      description: "With If-None-Match: seconds to wait for another policy before answering 304.",
    },
    release: {
      schema: z.string().max(RELEASE_CHARACTERS_MAX).optional(),
      description:
        "With application/yaml: the release of docker-agent, as 1.147. When absent, the version that the agent reports in Quarterdeck-Client-Version or reported before, else the newest. A policy that loses a gate in that release is refused.",
    },
  },
  headers: {
    Accept: {
      schema: z.string().optional(),
      description: `application/json, application/yaml for docker-agent, or ${EXECUTOR_POLICY_TYPE}.`,
    },
    "If-None-Match": { schema: z.string().optional(), description: "The ETag of the policy the agent has." },
    "Quarterdeck-Client-Version": {
      schema: z.string().max(40).optional(),
      description: "The version of the client whose policies these are, as 2.1.330.",
    },
    "Quarterdeck-Nonce": {
      schema: z.string().optional(),
      description:
        "16 to 64 random letters, digits, - and _; the attestation repeats them, so that no old answer passes.",
    },
    "Quarterdeck-Executor": {
      schema: z.string().optional(),
      description: "`id=<16 hex>`: the local executor that asks, so that pages say when it had contact last.",
    },
    "Quarterdeck-Refused": {
      schema: z.string().optional(),
      description: "`machine=<16 hex>; kept=N; dropped=N; last=CODE`: events of this machine that the console refused.",
    },
    "Quarterdeck-Sequence": {
      schema: z.string().optional(),
      description: "The newest sequence the agent has seen: a node that knows only older ones looks again.",
    },
  },
  answers: {
    200: {
      description: "The policy in force.",
      headers: {
        ETag: "Names these bytes.",
        Vary: "Accept",
        "Quarterdeck-Revision": "The effective revision.",
        "Quarterdeck-Signature": "`keyid=...; ed25519=<base64>`: the body's Ed25519 signature.",
        "Quarterdeck-Attestation": ATTESTATION_DOCS,
      },
      body: {
        "application/json": agentPolicyView,
        "application/yaml": z.string(),
        [EXECUTOR_POLICY_TYPE]: executorPolicyView,
      },
    },
    304: {
      description: "The agent has it already; signed like a 200.",
      headers: { ETag: "Names the bytes it has.", "Quarterdeck-Attestation": ATTESTATION_DOCS },
    },
  },
  errors: ["busy", "export_loses_gates"],
};
