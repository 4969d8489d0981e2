import { describe, expect, it } from "vitest";
import { textGateScript } from "../../gate-scripts.ts";
import { namedPrograms } from "./named-programs.ts";

describe("the programs that a script names", () => {
  it.each([
    ['input=$(cat); echo "$input" | jq -r .tool_name', ["cat", "jq"]],
    ["if grep -q x; then exit 2; fi", ["grep"]],
    ["sh -c 'jq . | /usr/bin/sort'", ["sh", "jq", "/usr/bin/sort"]],
    ['check() { yq . "$1"; }; check a && check b', ["yq"]],
    ["tool=jq; $tool .", ["jq"]],
    ["xargs -n1 timeout 5 gitleaks", ["xargs", "timeout", "gitleaks"]],
    ["./scripts/gate.sh", ["./scripts/gate.sh"]],
    ["cd /tmp; export A=1; [ -f a ] && read -r b; printf x; return 0", []],
    ["ssh host jq .", ["ssh"]],
    ["docker exec box jq .", ["docker"]],
    ["awk '{ print }' | while read -r line; do tr a b; done", ["awk", "tr"]],
  ])("of %s are %j", (text, programs) => {
    expect([...namedPrograms(text).programs].sort()).toEqual([...programs].sort());
  });

  it("include no function of the scripts that policies share", () => {
    expect(namedPrograms(textGateScript("prompt", "has x && refuse y")).programs).toEqual(
      expect.arrayContaining(["awk", "grep"]),
    );
    expect(namedPrograms(textGateScript("prompt", "has x && refuse y")).programs).not.toContain("refuse");
  });

  it("are optional where the script looks for them first", () => {
    const { programs, optional } = namedPrograms("if command -v jq >/dev/null; then jq .; else grep x; fi");
    expect([...programs].sort()).toEqual(["grep", "jq"]);
    expect(optional.has("jq")).toBe(true);
    expect(optional.has("grep")).toBe(false);
  });

  it.each([
    "$CHECKER x",
    'eval "$(cat rules)"',
    "python3 -c 'import os'",
    "~/bin/check",
    "echo 'unbalanced",
    '"$(cat f)" a',
  ])("are not known of %s, and that is said", (text) => {
    expect(namedPrograms(text).unread).not.toEqual([]);
  });
});
