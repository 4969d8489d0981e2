/** Secrets with their own structure: armoured keys, tokens with JSON, passwords in addresses. */
import { characterClass, runAfter, runBefore } from "../character-class.ts";
import { prefixedTokenRule, type Rule } from "../rule.ts";
import { jsonWebToken } from "./json-web-token.ts";
import { privateKey } from "./private-key.ts";

const SCHEMES = [
  ...["mongodb", "mongodb+srv", "postgres", "postgresql", "mysql", "redis", "rediss", "amqp", "amqps"],
  ...["+psycopg2", "+psycopg", "+asyncpg", "+pymysql", "+mysqldb", "+aiomysql", "+mysqlconnector"],
].map((scheme) => `${scheme}://`);

/** Matches up to the first @ before a host, because a password may contain an @. Template placeholders do not match. */
const PASSWORD =
  '[^\\s/"\\\\<>@:]{0,200}:([^\\s/"\\\\<>@%{$][^\\s/"\\\\<>]{0,199}?)@[\\w.\\-\\[\\]:%]{0,255}(?:[^\\w.\\-\\[\\]:%@]|$)';

/** Digits and letters without similar-looking ones; alone, or directly before or after a marker. */
const clickUp: Rule = (() => {
  const inner = prefixedTokenRule("clickup", ["pk_"], "[0-9]{4,12}_[A-Z0-9]{32}", { anyCase: true });
  return {
    ...inner,
    find(text, at, length, looks) {
      const span = inner.find(text, at, length, looks);
      const isGlued = span && (runBefore(text, at, GLUE, 1) > 0 || runAfter(text, span.end, GLUE, 1) > 0);
      return isGlued ? null : span;
    },
  };
})();
const GLUE = characterClass("[\\w\\[\\]]");

export const MATERIAL = [
  privateKey,
  jsonWebToken,
  clickUp,
  prefixedTokenRule("age", ["AGE-SECRET-KEY-1"], "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
  prefixedTokenRule("database-password", SCHEMES, PASSWORD, { anyCase: true }),
  prefixedTokenRule("sidekiq", ["@gems.contribsys.com", "@enterprise.contribsys.com"], "", {
    before: ["[a-f0-9:]", 17, 17],
  }),
  prefixedTokenRule(
    "sidekiq-variable",
    ["BUNDLE_ENTERPRISE__CONTRIBSYS__COM", "BUNDLE_GEMS__CONTRIBSYS__COM"],
    "\\s?[=:]\\s?['\"]?([a-f0-9]{8}:[a-f0-9]{8})",
  ),
];
