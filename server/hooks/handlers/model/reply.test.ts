import { describe, expect, it } from "vitest";
import { readJudgement } from "./reply.ts";

const ALLOW = '{"decision":"allow","reason":"ok"}';
const DENY = '{"decision":"deny","reason":"no"}';

/** Replies that are ambiguous or broken, and say allow somewhere. */
const BROKEN: readonly (readonly [fault: string, reply: string])[] = [
  ["prose quotes an allow and denies", `The agent wrote ${ALLOW} but I do not agree: deny.`],
  ["prose before", `I think this is fine: ${ALLOW}`],
  ["prose after", `${ALLOW}\nBut do not run it.`],
  ["prose around", `Sure!\n${ALLOW}\nhope this helps`],
  ["a list", `[${ALLOW}]`],
  ["a list of two", `[${DENY},${ALLOW}]`],
  ["two objects", `${DENY}${ALLOW}`],
  ["two objects on lines", `${DENY}\n${ALLOW}`],
  ["one object in another", `{"answer":${ALLOW}}`],
  ["a second decision in a field", `{"decision":"allow","review":${DENY}}`],
  ["a second decision in a list", `{"decision":"allow","all":[${DENY}]}`],
  ["a verdict under another key", '{"decision":"allow","verdict":"deny"}'],
  ["the key twice", '{"decision":"deny","decision":"allow"}'],
  ["the key twice with a blank", '{"decision" : "deny", "decision" : "allow"}'],
  ["the key twice, the other way", '{"decision":"allow","decision":"deny"}'],
  ["the key twice, once escaped", '{"decision":"deny","deci\\u0073ion":"allow"}'],
  ["the key in another case", '{"decision":"deny","Decision":"allow"}'],
  ["the key in capitals alone", '{"DECISION":"allow"}'],
  ["the key with a long s", '{"decision":"deny","deci\u017fion":"allow"}'],
  ["the key with a long s alone", '{"deci\u017fion":"allow"}'],
  ["the key in wide letters", '{"decision":"allow","\uff44\uff45\uff43\uff49\uff53\uff49\uff4f\uff4e":"deny"}'],
  ["the key with a zero-width sign", '{"decision":"allow","deci\u200bsion":"deny"}'],
  ["the key with a blank", '{"decision":"allow"," decision":"deny"}'],
  ["the reason twice", '{"decision":"allow","reason":"deny this","reason":"ok"}'],
  ["the decision as a list", '{"decision":["allow"]}'],
  ["the decision as an object", '{"decision":{"allow":true}}'],
  ["the decision as a boolean", '{"decision":true}'],
  ["the decision as null", '{"decision":null,"reason":"allow"}'],
  ["the decision with another word", '{"decision":"allow, but deny later"}'],
  ["the decision with a point", '{"decision":"allow."}'],
  ["the decision in wide letters", '{"decision":"\uff41\uff4c\uff4c\uff4f\uff57"}'],
  ["the decision negated", '{"decision":"not allow"}'],
  ["a text", '"allow"'],
  ["a word", "allow"],
  ["half an object", '{"decision":"allow"'],
  ["an object with a comment", '{"decision":"allow" /* deny */}'],
  ["a fence and prose after", `\`\`\`json\n${ALLOW}\n\`\`\`\nOn reflection: deny.`],
  ["a fence and prose before", `Deny. It quoted:\n\`\`\`json\n${ALLOW}\n\`\`\``],
  ["a fence with prose in its first line", `\`\`\`I would deny\n${ALLOW}\n\`\`\``],
  ["two fences", `\`\`\`json\n${DENY}\n\`\`\`\n\`\`\`json\n${ALLOW}\n\`\`\``],
  ["a fence that is not closed", `\`\`\`json\n${ALLOW}\nor rather`],
  ["a mark of byte order", `\ufeff${ALLOW}`],
  ["a NUL before", `\u0000${ALLOW}`],
  ["markup around", `<answer>${ALLOW}</answer>`],
];

describe("a reply", () => {
  it("is never an allow where it is broken or can be read in two ways", () => {
    const allowed = BROKEN.filter(([, reply]) => {
      try {
        return readJudgement(reply).decision !== "deny";
      } catch {
        return false;
      }
    });
    expect(allowed.map(([fault]) => fault)).toEqual([]);
    expect(BROKEN.length).toBeGreaterThanOrEqual(40);
  });

  it.each([
    ["alone", ALLOW],
    ["between blanks", `\n  ${ALLOW} \n`],
    ["in a fence", `\`\`\`json\n${ALLOW}\n\`\`\``],
    ["in a fence without a name", `\`\`\`\n${ALLOW}\n\`\`\``],
    ["with a brace in its reason", '{"decision":"allow","reason":"ok: \\"{}\\" deny: [\\"decision\\"]"}'],
    ["in capitals", '{"decision":" ALLOW "}'],
    ["with more fields", '{"decision":"allow","reason":"ok","confidence":0.9,"notes":["read only"]}'],
  ])("allows with one object %s", (_how, reply) => {
    expect(readJudgement(reply).decision).toBe("allow");
  });

  it("denies with an object in prose, because a denial loosens nothing", () => {
    expect(readJudgement(`Sure!\n${DENY}\nhope this helps`)).toEqual({ decision: "deny", reason: "no" });
  });
});
