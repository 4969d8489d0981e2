/** The few secret formats that are certain from the text alone. A host with a real detector supplies its own. */
import type { FindSecrets } from "./context.ts";

const SHAPES: readonly (readonly [string, RegExp])[] = [
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,})/g],
  ["a GitLab token", /\bglpat-[\w-]{20,}/g],
  ["an OpenAI key", /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}/g],
  ["an Anthropic key", /\bsk-ant-[\w-]{32,}/g],
  ["a Slack token", /\bxox[abprs]-[A-Za-z0-9-]{10,}/g],
  ["a Google API key", /\bAIza[\w-]{35}\b/g],
  ["a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{16,}/g],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/g],
  ["a Quarterdeck key", /\bqd_[A-Za-z0-9]{20,}(?:_[0-9a-f]{64})?/g],
  ["a private key", /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/g],
  ["a password in an address", /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s:@/"'$]{1,64}:[^\s:@/"'$]{4,64}@/g],
];

export const plainSecrets: FindSecrets = (text) => {
  const found = SHAPES.flatMap(([kind, shape]) =>
    [...text.matchAll(shape)].map(({ index, 0: match }) => ({ start: index, end: index + match.length, kind })),
  );
  // An Anthropic key also has the form of an OpenAI key. The last kind at a position names it.
  return [...new Map(found.map((one) => [one.start, one])).values()];
};
