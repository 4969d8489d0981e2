import { expect, it } from "vitest";
import { policyWorkspace } from "../../../e2e/fixtures/policy-workspace.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import { publishByName } from "../publishing/publish.ts";
import { readPolicy } from "../text/source.ts";
import { comparedSets } from "./effective.ts";

const { scene, newAgent } = policyWorkspace();

/** The database orders these keys in another way. */
const SOURCE = `profile: "2026-11"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - type: rules
          name: no force
          rules:
            - command: {program: git, flags: [force]}
              deny: Not here.
`;

it("a text that is in force has the same hooks as a candidate, to the order of their keys", async () => {
  await newAgent("one");
  const { policyId } = await publishByName(
    ...([scene.at.database, scene.bus, scene.admin] as const),
    { name: "guard", source: SOURCE, note: "" },
    NO_CASES,
  );
  const { hooks, profile } = readPolicy(SOURCE);
  if (!hooks) throw new Error("the text has problems");
  const candidate = { policyId, name: "guard", sha256: "0", profile, hooks, bindsAll: true };
  const [one] = await comparedSets(scene.at.database, scene.admin.workspaceId, candidate);
  expect(JSON.stringify(one?.candidate.members[0]?.hooks)).toBe(JSON.stringify(one?.inForce.members[0]?.hooks));
  expect(JSON.stringify(one?.inForce.members[0]?.hooks)).not.toBe(JSON.stringify(hooks));
});
