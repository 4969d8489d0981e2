import { formatCount, formatTokens } from "@/components/ui/format/count";
import { Hint } from "@/components/ui/tooltip";
import type { TokensView } from "@/server/costs/schema";

const FORMULA =
  "(input × input price + output × output price + cached input × cache-read price + cached write × cache-write price) ÷ 1,000,000";

/** The token kinds, each with its meaning and its place in the price formula. They do not overlap. */
export const tokenKinds: readonly { key: keyof TokensView; label: string; says: string }[] = [
  { key: "input", label: "Input", says: "Sent to the model and not found in its cache. Priced at the input price." },
  {
    key: "cachedInput",
    label: "Cached input",
    says: "Read back from the provider's cache. Not part of input; priced on its own, at the cache-read price.",
  },
  {
    key: "cachedWrite",
    label: "Cached write",
    says: "Written to the provider's cache. Not part of input; priced on its own, at the cache-write price.",
  },
  { key: "output", label: "Output", says: "What the model wrote. Priced at the output price." },
  {
    key: "reasoning",
    label: "Reasoning",
    says: "Reported beside output. The price formula has no term for it, so no sum includes it.",
  },
];

/** Tokens by kind, each once. */
export function TokenKinds({ tokens }: { tokens: TokensView }) {
  return (
    <dl aria-label="Tokens by kind" className="flex flex-wrap gap-x-6 gap-y-2">
      {tokenKinds.map(({ key, label, says }) => (
        <div key={key} className={key === "reasoning" ? "border-line sm:border-l sm:pl-6" : ""}>
          <dt className="text-muted text-sm">
            <Hint content={`${formatCount(tokens[key])} tokens. ${says}\n\nA call costs ${FORMULA}.`}>{label}</Hint>
          </dt>
          <dd className="font-medium text-md">{formatTokens(tokens[key])}</dd>
        </div>
      ))}
    </dl>
  );
}
