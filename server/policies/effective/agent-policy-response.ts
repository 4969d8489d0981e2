/** The effective policy as an agent fetches it: exact bytes, signed, in JSON or in docker-agent's YAML. */
import { createHash, sign } from "node:crypto";
import type { HooksConfig } from "@quarterdeck/hooks";
import { displayName } from "@quarterdeck/hooks/contract/hook";
import { hooksByPath } from "@quarterdeck/hooks/contract/monitored-hooks";
import { LRUCache } from "lru-cache";
import { stringify } from "yaml";
import { EXECUTOR_POLICY_TYPE } from "../../access/local-executor-schema.ts";
import { type ExportRelease, releaseName } from "../../dialects/docker-agent/index.ts";
import type { Secrets } from "../../platform/secrets.ts";
import type { AgentPolicyView, ExecutorPolicyView } from "../schema.ts";
import type { EnforcedSet } from "./effective.ts";
import type { EffectiveMember } from "./member.ts";
import {
  blockFor,
  type ExportedBlock,
  exportComments,
  joinedHooks,
  requireGates,
  wholeBlock,
} from "./native-export.ts";

/** "executor": everything that `quarterdeck hook` needs, in a version of its own. */
export type PolicyFormat = "json" | "yaml" | "executor";

export interface Representation {
  readonly contentType: string;
  readonly body: Buffer;
  /** Strong, with its quotes. */
  readonly etag: string;
  /** `keyid=...; ed25519=<base64>` over `body`. */
  readonly signature: string;
  readonly revision: string;
  /** The hash of `body`, in hex. */
  readonly sha256: string;
}

/** The agent that fetches, and the release of docker-agent that YAML is for. */
export interface Represented {
  readonly agentId: string;
  readonly chosen: ExportRelease;
}

const KEPT_MAX = 200;

const CONTENT_TYPES: Record<PolicyFormat, string> = {
  json: "application/json",
  yaml: "application/yaml; charset=utf-8",
  executor: EXECUTOR_POLICY_TYPE,
};

/**
 * Makes each representation of each set of revisions once; the executor's also names its agent, and YAML is made for each release.
 * Errors: `export_loses_gates` for YAML.
 */
export function createRepresentations(secrets: Pick<Secrets, "signingKey" | "signingKeyId">) {
  const made = new LRUCache<string, Representation>({ max: KEPT_MAX });
  return (set: EnforcedSet, format: PolicyFormat, { agentId, chosen }: Represented): Representation => {
    const key = `${set.revision} ${format} ${{ json: "", yaml: `${releaseName(chosen.release)} ${chosen.version}`, executor: agentId }[format]}`;
    const known = made.get(key);
    if (known) return known;
    const body = Buffer.from(textOf(set, format, { agentId, chosen }));
    const sha256 = createHash("sha256").update(body).digest("hex");
    const representation = {
      contentType: CONTENT_TYPES[format],
      body,
      etag: `"${sha256.slice(0, 32)}"`,
      signature: `keyid=${secrets.signingKeyId}; ed25519=${sign(null, body, secrets.signingKey).toString("base64")}`,
      revision: set.revision,
      sha256,
    };
    made.set(key, representation);
    return representation;
  };
}

function textOf(set: EnforcedSet, format: PolicyFormat, { agentId, chosen }: Represented): string {
  switch (format) {
    case "json":
      return JSON.stringify(policyView(set));
    case "yaml":
      return nativeYaml(set, requireGates(blockFor(set, chosen)));
    case "executor":
      return JSON.stringify(executorView(set, agentId));
  }
}

function executorView({ revision, profile, members }: EnforcedSet, agent: string): ExecutorPolicyView {
  const sources = members.map(({ name, number, text, monitored }) => ({
    ...{ policy: name, revision: number, hooks: { ...text } },
    ...(monitored.length > 0 && { monitored: [...monitored] }),
  }));
  return { version: 2, agent, revision, profile, sources };
}

/** The effective policy with everything Quarterdeck knows of it, also which hooks run where. */
export function policyView({ revision, profile, members }: EnforcedSet): AgentPolicyView & { hooks: HooksConfig } {
  const policies = members.map(({ name, number, sha256 }) => ({ name, revision: number, sha256 }));
  return { revision, profile, policies, hooks: joinedHooks(members.map((member) => member.hooks)) };
}

/** The hooks block in docker-agent's own YAML, without Quarterdeck's keys. */
export function nativeYaml(set: EnforcedSet, block = wholeBlock(policyView(set).hooks)): string {
  return headOf(set, block) + yamlOf({ hooks: block.hooks });
}

/** The same as an agent file, in the format that docker-agent and its published schema accept. */
export function agentFileYaml(set: EnforcedSet, agentName: string, block = wholeBlock(policyView(set).hooks)): string {
  const scope = "# The hooks of one agent: its model, instruction and tools stand in the agent's own file.\n";
  const agents = new Map([[agentName, { hooks: block.hooks }]]);
  return headOf(set, block) + scope + yamlOf({ agents });
}

function headOf({ revision, profile, members }: EnforcedSet, block: ExportedBlock): string {
  const names = members.map(({ name, number }) => `# - ${name}, revision ${number}`);
  const left = members.flatMap(monitoredComments);
  return [`# Effective policy ${revision}, profile ${profile}`, ...names, ...left, ...exportComments(block), ""].join(
    "\n",
  );
}

/** A file does not end monitor mode by itself, so it says when it must be fetched again. */
function monitoredComments({ text, monitored }: EffectiveMember): string[] {
  const namesByPath = new Map(hooksByPath(text).map(({ path, event, hook }) => [path, { event, hook }]));
  return monitored.flatMap(({ path, until }) => {
    const found = namesByPath.get(path);
    if (found === undefined) return [];
    const name = JSON.stringify(displayName(found.hook));
    return [
      `# Left out: ${name} on ${found.event}, which is only monitored until ${until}. Then fetch the policy again.`,
    ];
  });
}

const yamlOf = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
