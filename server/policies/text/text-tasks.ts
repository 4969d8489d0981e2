/** The tasks on a policy's text that run on a worker thread (read-in-worker.ts). Each takes and returns plain data. */
import type { HooksConfig, Profile } from "@quarterdeck/hooks";
import type { ClientKnown } from "@quarterdeck/hooks/contract/client-known";
import type { JudgeKnown } from "@quarterdeck/hooks/contract/judge-prompt";
import { listClientFindings } from "@quarterdeck/hooks/contract/lint/client-findings";
import type { ToolSeen } from "@quarterdeck/hooks/contract/lint/context";
import { CLIENT_IMPORTS } from "../../dialects/import/index.ts";
import type { CheckView, ImportClientFile, ImportedClientView, ImportedView, ImportFile } from "../schema.ts";
import { readImport } from "./import.ts";
import { checkPolicy, type ReadPolicy, readPolicy } from "./source.ts";

export interface CheckText {
  readonly source: string;
  /** Tools that the workspace's agents used; none when absent. */
  readonly tools?: readonly ToolSeen[];
  readonly judges?: readonly JudgeKnown[];
  readonly clients?: readonly ClientKnown[];
}

export const read = (source: string): ReadPolicy => readPolicy(source);

export const check = ({ source, ...known }: CheckText): CheckView => checkPolicy(source, known);

/** Errors: `invalid_input` in words. */
export function preview(input: ImportFile): ImportedView {
  const { source, name, agents, notes } = readImport(input);
  return { source, name, agents: [...agents], notes: [...notes], check: checkPolicy(source) };
}

/** Errors: `invalid_input` in words. */
export function previewClient({ client, source }: ImportClientFile): ImportedClientView {
  const { policyYaml, carried, notCarried } = CLIENT_IMPORTS[client](source);
  return { policyYaml, carried: [...carried], notCarried: [...notCarried], check: checkPolicy(policyYaml) };
}

export interface PoliciesOnClient {
  readonly client: ClientKnown;
  readonly profile: Profile;
  readonly policies: readonly { readonly policyId: string; readonly hooks: HooksConfig }[];
}

/** Per policy, in sentences: what becomes of its answers on one client. */
export const findOnClient = ({
  client,
  profile,
  policies,
}: PoliciesOnClient): (readonly [string, readonly string[]])[] =>
  policies.map(({ policyId, hooks }) => [policyId, listClientFindings(hooks, profile, client)] as const);
