/** The effective policy as an agent fetches it: exact bytes, signed, in JSON or in docker-agent's YAML. */
import { createHash, sign } from "node:crypto";
import { LRUCache } from "lru-cache";
import { stringify } from "yaml";
import { type HooksConfig, nativeHooks } from "../hooks/index.ts";
import type { Secrets } from "../platform/secrets.ts";
import type { EffectiveSet } from "./effective.ts";
import type { AgentPolicyView } from "./schema.ts";

export type PolicyFormat = "json" | "yaml";

export interface Representation {
  readonly contentType: string;
  readonly body: Buffer;
  /** Strong, with its quotes. */
  readonly etag: string;
  /** `keyid=...; ed25519=<base64>` over `body`. */
  readonly signature: string;
  readonly revision: string;
}

const KEPT_MAX = 200;

/** Makes each representation of each set of revisions once. */
export function createRepresentations(secrets: Pick<Secrets, "signingKey" | "signingKeyId">) {
  const made = new LRUCache<string, Representation>({ max: KEPT_MAX });
  return (set: EffectiveSet, format: PolicyFormat): Representation => {
    const key = `${set.revision} ${format}`;
    const known = made.get(key);
    if (known) return known;
    const body = Buffer.from(format === "json" ? JSON.stringify(policyView(set)) : yamlOf(set));
    const representation = {
      contentType: format === "json" ? "application/json" : "application/yaml; charset=utf-8",
      body,
      etag: `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`,
      signature: `keyid=${secrets.signingKeyId}; ed25519=${sign(null, body, secrets.signingKey).toString("base64")}`,
      revision: set.revision,
    };
    made.set(key, representation);
    return representation;
  };
}

/** The effective policy with everything Quarterdeck knows of it, also which hooks run where. */
export function policyView({ revision, profile, members }: EffectiveSet): AgentPolicyView & { hooks: HooksConfig } {
  const policies = members.map(({ name, number, sha256 }) => ({ name, revision: number, sha256 }));
  return { revision, profile, policies, hooks: joinedHooks(members.map((member) => member.hooks)) };
}

function yamlOf(set: EffectiveSet): string {
  const names = set.members.map(({ name, number }) => `# - ${name}, revision ${number}`);
  const head = [`# Effective policy ${set.revision}, profile ${set.profile}`, ...names, ""].join("\n");
  return (
    head + stringify({ hooks: nativeHooks(policyView(set).hooks) }, { lineWidth: 0, aliasDuplicateObjects: false })
  );
}

/** docker-agent's own merging rule: per event, one list after the other. */
function joinedHooks(blocks: readonly HooksConfig[]): HooksConfig {
  const joined: Record<string, unknown[]> = {};
  for (const block of blocks) {
    for (const [event, entries] of Object.entries(block)) joined[event] = [...(joined[event] ?? []), ...entries];
  }
  // Holds: each list is a concatenation of lists that were of their event's type.
  return joined as HooksConfig;
}
