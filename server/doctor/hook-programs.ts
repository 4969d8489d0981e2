/** Checks that the programs of command hooks in force are where the hooks run. */
import type { FindPrograms } from "@quarterdeck/hooks";
import type { Database } from "../platform/db.ts";
import { listProgramGaps } from "../policies/index.ts";
import { counted, failure, listed, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

const ID = "hook_programs";
const INSTALL =
  "Install each program where the server runs hooks (in the image: add it to the Dockerfile), or replace the hook by rules (docs/rules.md).";
const READ = "Check the script: write the full program name, or replace the hook by rules (docs/rules.md).";

interface Looked {
  readonly db: Database;
  readonly workspaceId: string;
  /** Absent where this process runs no hooks. */
  readonly findPrograms?: FindPrograms;
}

export async function hookPrograms({ db, workspaceId, findPrograms }: Looked): Promise<Finding> {
  if (!findPrograms) return unknown("Not checked: this process runs no hooks.", INSTALL);
  const gaps = await listProgramGaps(db, workspaceId, findPrograms);
  const missing = gaps.filter(({ kind }) => kind === "missing");
  const gates = missing.filter(({ isGate }) => isGate);
  const placed = (all: typeof gaps) =>
    listed(all.map(({ policy, revision, hook, program }) => `${program} (${policy} revision ${revision}: ${hook})`));
  if (gates.length > 0)
    return failure(ID, `Gates use programs that are missing in their sandbox: ${placed(gates)}.`, INSTALL);
  if (missing.length > 0)
    return warning(ID, `Hooks use programs that are missing in their sandbox: ${placed(missing)}.`, INSTALL);
  const [first, ...others] = gaps.filter(({ kind }) => kind === "unknown");
  if (first) {
    const more = others.length > 0 ? ` ${counted(others.length, "more")} like this.` : "";
    return unknown(`${first.policy} revision ${first.revision}: ${first.says}${more}`, READ);
  }
  const elsewhere = gaps.filter(({ kind }) => kind === "beside_agent").length;
  if (elsewhere === 0) return ok(ID, "All programs of command hooks in force are in their sandbox.");
  const says = `${counted(elsewhere, "hook runs", "hooks run")} on agents' machines, where programs cannot be checked from here. Run "quarterdeck hook --check" there.`;
  return ok(ID, says);
}

const unknown = (says: string, todo: string): Finding => ({ id: ID, state: "unknown", says, todo });
