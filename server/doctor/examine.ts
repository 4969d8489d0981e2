/** Finds configuration errors, and their remedies. Changes nothing. */
import type { Confinement, FindPrograms } from "@quarterdeck/hooks";
import type { Mailer } from "../people/index.ts";
import type { Database } from "../platform/db.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";
import { effectiveSets } from "../policies/index.ts";
import type { Pressure } from "../pressure/index.ts";
import type { TelemetryState } from "../telemetry/index.ts";
import { canaries } from "./canaries.ts";
import { drills } from "./drills.ts";
import { counted, failure, listed, ok, unknown, warning } from "./finding.ts";
import { hookPrograms } from "./hook-programs.ts";
import { load } from "./load.ts";
import { disk, exposure, modes, nodeVersion, secrets } from "./machine.ts";
import { mail } from "./mail.ts";
import { masking } from "./masking.ts";
import { processes } from "./node.ts";
import { exported, judges, webhooks } from "./outward.ts";
import { partitions } from "./partitions.ts";
import { pressure } from "./pressure.ts";
import { projections } from "./projections.ts";
import { checkpoints, type Recorded } from "./record.ts";
import { readReplica } from "./replica.ts";
import * as repository from "./repository.ts";
import { type ExaminationView, FINDING_STATES, type Finding } from "./schema.ts";
import { streams } from "./streams.ts";
import { uncheckedAnswers } from "./unchecked-answers.ts";
import { unreadablePolicies } from "./unreadable-policies.ts";
import { unreadableRows } from "./unreadable-rows.ts";

export interface Patient {
  readonly db: Database;
  readonly workspaceId: string;
  readonly dataDir: string;
  /** The address it listens on, and the one where people reach it. */
  readonly host: string;
  readonly url: string;
  readonly confinement: Pick<Confinement, "sandbox" | "reasons" | "features" | "network" | "networkReason">;
  /** Secrets that came from the environment, by the variable's name. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** Looks for programs in the sandbox of hooks; absent where this process runs none. */
  readonly findPrograms?: FindPrograms;
  readonly openCircuits: number;
  /** The pressure of the node that was asked; absent without a server. */
  readonly pressure?: Pick<Pressure, "level" | "last">;
  /** The processes of the node that was asked. */
  readonly workerRpc?: WorkerRpc;
  readonly record: Recorded["record"];
  readonly mailer: Pick<Mailer, "probe">;
  /** Null without a telemetry export. */
  readonly telemetry?: TelemetryState | null;
}

const DAY_MS = 86_400_000;
const SKEW_WARNING_MS = 1_000;
const SKEW_FAILURE_MS = 30_000;
const AGENT_AHEAD_MS = 60_000;
const STALE_DAYS = 7;
const NOTICE_DAYS = 7;

/** Every finding, the worst first. A look that fails is a finding too. */
export async function examine(patient: Patient, now = new Date()): Promise<ExaminationView> {
  const { dataDir, host, url, given } = patient;
  const looks: readonly (readonly [id: string, look: () => Finding | Promise<Finding>])[] = [
    ["node", () => nodeVersion(process.version)],
    ["exposure", () => exposure(host, url)],
    ["sandbox", () => sandboxed(patient.confinement)],
    ["hook_programs", () => hookPrograms(patient)],
    ["hook_network", () => hookNetwork(patient.confinement)],
    ["secrets", () => secrets(given)],
    ["file_modes", () => modes(dataDir)],
    ["disk", () => disk(dataDir)],
    ["durability", () => durable(patient)],
    ["read_replica", () => readReplica(patient.db)],
    ["row_security", () => walled(patient)],
    ["clock", () => clock(patient)],
    ["agent_clocks", () => agentClocks(patient, now)],
    ["unreadable_policies", () => unreadablePolicies(patient)],
    ["unreadable_rows", () => unreadableRows(patient)],
    ["masking", () => masking(patient)],
    ["ungoverned_agents", () => ungoverned(patient, now)],
    ["stale_agents", () => stale(patient, now)],
    ["ending_keys", () => endingKeys(patient, now)],
    ["drills", () => drills(patient, now)],
    ["unchecked_answers", () => uncheckedAnswers(patient, now)],
    ["refused_events", () => refusedEvents(patient)],
    ["processes", () => processes(patient.workerRpc, now)],
    ["pressure", () => pressure(patient.pressure, now)],
    ["load", () => load(patient.db, patient.workspaceId, now)],
    ["partitions", () => partitions(patient.db, now)],
    ["projections", () => projections(patient.db, patient.workspaceId, now)],
    ["canaries", () => canaries(patient, now)],
    ["circuits", () => circuits(patient.openCircuits)],
    ["checkpoints", () => checkpoints(patient, now)],
    ["mail", () => mail(patient.mailer)],
    ["webhooks", () => webhooks(patient)],
    ["streams", () => streams(patient, now)],
    ["judges", () => judges(patient, now)],
    ["telemetry", () => exported(patient.telemetry)],
  ];
  const findings = await Promise.all(
    looks.map(async ([id, look]) => {
      try {
        return await look();
      } catch (error) {
        return unknown(id, error);
      }
    }),
  );
  const worstFirst = findings.sort((a, b) => FINDING_STATES.indexOf(a.state) - FINDING_STATES.indexOf(b.state));
  return { at: now, findings: worstFirst };
}

async function refusedEvents({ db, workspaceId }: Patient): Promise<Finding> {
  const found = await repository.listAgentsWithRefusedEvents(db.prisma, workspaceId);
  if (found.length === 0) return ok("refused_events", "No local executor has refused events.");
  const events = found.reduce((sum, one) => sum + one.events, 0);
  return warning(
    "refused_events",
    `${counted(events, "event")} of ${listed(found.map(({ agent }) => agent))} ${events === 1 ? "was" : "were"} refused and ${events === 1 ? "is" : "are"} not on record.`,
    'Check the folder "refused" of the local executor on its machine (docs/local-executor.md), then empty it.',
  );
}

const INSTALL_SANDBOX =
  "Install bubblewrap (apt install bubblewrap) and start the server again. For alternatives, see docs/operations.md.";

const SANDBOXES = {
  bubblewrap: "Command hooks run in bubblewrap",
  root_namespaces: "Each command hook runs as its own user in its own namespaces",
  user_namespaces: "Command hooks run in user namespaces",
} as const;

function sandboxed({ sandbox, reasons, features }: Patient["confinement"]): Finding {
  switch (sandbox) {
    case "bubblewrap":
    case "root_namespaces":
    case "user_namespaces":
      if (features.includes("seccomp")) return ok("sandbox", `${SANDBOXES[sandbox]}. Their system calls are filtered.`);
      return warning("sandbox", `${SANDBOXES[sandbox]}, without a filter of system calls.`, INSTALL_SANDBOX);
    case "missing":
      return failure(
        "sandbox",
        `No sandbox works on this server, so every command hook is refused: ${listed([...reasons])}.`,
        INSTALL_SANDBOX,
      );
    case "none":
      return failure(
        "sandbox",
        "Command hooks run without a sandbox. Any person who may publish or try one can read the database and every secret of this server.",
        `Unset QUARTERDECK_RUN_HOOKS_WITHOUT_SANDBOX. ${INSTALL_SANDBOX}`,
      );
  }
}

function hookNetwork({ sandbox, network, networkReason }: Patient["confinement"]): Finding {
  if (sandbox === "none" || sandbox === "missing") return ok("hook_network", "Not applicable without a sandbox.");
  if (network === "own")
    return ok("hook_network", "Hooks with network: true have their own network, without this machine's loopback.");
  if (network === "refused")
    return ok(
      "hook_network",
      `Hooks with network: true are refused, so their gates deny: ${networkReason ?? "no separate network is available"}. To run them, install slirp4netns (apt install slirp4netns) and start the server again.`,
    );
  return warning(
    "hook_network",
    "Hooks with network: true can reach every service on this machine's loopback, because QUARTERDECK_HOOK_NETWORK=host is set.",
    "Install slirp4netns (apt install slirp4netns), and unset QUARTERDECK_HOOK_NETWORK.",
  );
}

async function durable({ db }: Patient): Promise<Finding> {
  const { version, fsync, synchronousCommit, fullPageWrites } = await repository.findDurability(db.pool);
  const off = Object.entries({ fsync, synchronous_commit: synchronousCommit, full_page_writes: fullPageWrites })
    .filter(([, value]) => value === "off")
    .map(([name]) => name);
  if (off.length === 0) return ok("durability", `PostgreSQL ${version} keeps committed data.`);
  return failure(
    "durability",
    `PostgreSQL runs with ${listed(off)} off: acknowledged data can be lost when it stops.`,
    `Set ${listed(off)} to on.`,
  );
}

async function walled({ db }: Patient): Promise<Finding> {
  const { role, passes, open } = await repository.findWall(db.pool);
  if (passes)
    return warning(
      "row_security",
      `PostgreSQL's role ${role} bypasses row-level security: only Quarterdeck's queries separate workspaces.`,
      `Give DATABASE_URL a role that owns the database and has neither SUPERUSER nor BYPASSRLS.`,
    );
  if (open.length > 0)
    return failure(
      "row_security",
      `Row-level security is off for ${listed(open)}: only Quarterdeck's queries separate workspaces there.`,
      `As the owner, run SELECT quarterdeck_wall('${open[0]}'), and repeat for each table.`,
    );
  return ok("row_security", "PostgreSQL separates workspaces.");
}

async function clock({ db }: Patient): Promise<Finding> {
  const before = Date.now();
  const { nowMs } = await repository.findDurability(db.pool);
  const after = Date.now();
  // PostgreSQL read its clock at some time between the two.
  const skew = nowMs < before ? nowMs - before : nowMs > after ? nowMs - after : 0;
  const says = `PostgreSQL's clock is ${Math.abs(Math.round(skew))} ms ${skew < 0 ? "behind" : "ahead of"} this server's.`;
  const todo = "Run a time service (chrony, systemd-timesyncd) on both machines.";
  if (Math.abs(skew) > SKEW_FAILURE_MS) return failure("clock", says, todo);
  if (Math.abs(skew) > SKEW_WARNING_MS) return warning("clock", says, todo);
  return ok("clock", "PostgreSQL and this server agree on the time.");
}

async function agentClocks({ db, workspaceId }: Patient, now: Date): Promise<Finding> {
  const from = new Date(now.getTime() - DAY_MS);
  const fast = await repository.listFastClocks(db.pool, workspaceId, from, AGENT_AHEAD_MS);
  if (fast.length === 0) return ok("agent_clocks", "No agent reports events from the future.");
  const names = fast.map(({ agent, aheadMs }) => `${agent} (${Math.round(aheadMs / 1_000)} s ahead)`);
  return warning(
    "agent_clocks",
    `Agents report events from the future: ${listed(names)}.`,
    "Set the clock of their machines.",
  );
}

async function ungoverned({ db, workspaceId }: Patient, now: Date): Promise<Finding> {
  const setOf = await effectiveSets(db, workspaceId);
  const keyed = await repository.listAgentsWithValidKeys(db.prisma, workspaceId, now);
  const free = keyed.filter(({ id }) => setOf(id).members.length === 0).map(({ name }) => name);
  if (keyed.length === 0) return ok("ungoverned_agents", "No agent has a key yet.");
  if (free.length === 0)
    return ok(
      "ungoverned_agents",
      keyed.length === 1
        ? "The one agent with a key has a policy."
        : `Each of ${keyed.length} agents with a key has a policy.`,
    );
  return failure(
    "ungoverned_agents",
    `${free.length} of ${keyed.length} agents with a key ${free.length === 1 ? "has" : "have"} no policy, so no gate checks their calls: ${listed(free)}.`,
    "Assign a policy to the workspace or to these agents, or revoke their keys.",
  );
}

async function stale({ db, workspaceId }: Patient, now: Date): Promise<Finding> {
  const before = now.getTime() - STALE_DAYS * DAY_MS;
  const keyed = await repository.listAgentsWithValidKeys(db.prisma, workspaceId, now);
  const silent = keyed
    .filter(({ lastSeenAt, createdAt }) => (lastSeenAt ?? createdAt).getTime() < before)
    .map(({ name }) => name);
  if (keyed.length === 0) return ok("stale_agents", "No agent has a key.");
  if (silent.length === 0) {
    // Made lately, and so not silent yet; to call them heard would be wrong.
    const unheard = keyed.filter(({ lastSeenAt }) => lastSeenAt === null).map(({ name }) => name);
    const others = unheard.length > 0 ? `, except new agents without events: ${listed(unheard)}` : "";
    return ok("stale_agents", `Every agent with a key sent events in the last ${STALE_DAYS} days${others}.`);
  }
  return warning(
    "stale_agents",
    `${counted(silent.length, "agent", "agents")} with a key sent no events for ${STALE_DAYS} days: ${listed(silent)}.`,
    "Check that their hooks are still installed. Revoke unused keys.",
  );
}

async function endingKeys({ db, workspaceId }: Patient, now: Date): Promise<Finding> {
  const until = now.getTime() + NOTICE_DAYS * DAY_MS;
  const ending = (await repository.listAgentsWithValidKeys(db.prisma, workspaceId, now))
    .filter(({ endsMs }) => endsMs < until)
    .map(({ name }) => name);
  if (ending.length === 0) return ok("ending_keys", `No agent's last key ends within ${NOTICE_DAYS} days.`);
  return warning(
    "ending_keys",
    `The last key of ${listed(ending)} ends within ${NOTICE_DAYS} days; after that, all requests are denied.`,
    "Create a new key on the Agents page and install it.",
  );
}

function circuits(open: number): Finding {
  if (open === 0) return ok("circuits", "No hook is paused because of failures.");
  return warning(
    "circuits",
    `${counted(open, "hook")} failed repeatedly and ${open === 1 ? "is" : "are"} paused.`,
    "See the Agents page for details.",
  );
}
