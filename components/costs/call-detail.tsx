"use client";

import { unpricedBecause } from "@/components/costs/call-columns";
import { useCallsHref } from "@/components/costs/calls-href";
import { Corrections } from "@/components/costs/corrections";
import { tokenKinds } from "@/components/costs/token-kinds";
import { CodeBlock } from "@/components/ui/code/code-block";
import { formatBytes } from "@/components/ui/format/bytes";
import { formatCount } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { ExactTime } from "@/components/ui/format/relative-time";
import { KeyValue } from "@/components/ui/key-value";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { type CallDetailView, isHarness } from "@/server/costs/schema";
import { timelineHref } from "@/server/sessions/schema";

/** One call, from its cost to the raw record. */
export function CallDetail({ detail }: { detail: CallDetailView }) {
  return (
    <div className="flex flex-col gap-6">
      <Cost detail={detail} />
      <Corrections detail={detail} />
      <Section title="Tokens" aside={detail.hasUsage ? "by kind" : "not reported by the provider"}>
        <TokenTable detail={detail} />
      </Section>
      <Words title="Answer" text={detail.answer} missing="The agent reported no answer for this call." />
      <Words title="Asked" text={detail.question} missing={null} />
      <Section title="Facts">
        <Facts detail={detail} />
      </Section>
      <Section title="Raw">
        <details>
          <summary className="text-sm">
            Input{" "}
            <span className="text-faint">
              {formatBytes(detail.inputBytes)}
              {isCut(detail) ? ", first part shown" : ""}
            </span>
          </summary>
          <div className="mt-2">
            <CodeBlock code={detail.input} language={isCut(detail) ? "text" : "json"} label="Input" wrap />
          </div>
        </details>
      </Section>
    </div>
  );
}

const isCut = ({ input, inputBytes }: CallDetailView): boolean => new TextEncoder().encode(input).length < inputBytes;

/** True if a reported cost has digits beyond the nano-dollar. */
const isRounded = (usd: string): boolean => /\.\d{9}\d*[1-9]/.test(usd);

function Cost({ detail }: { detail: CallDetailView }) {
  const { nano, usd, pricing, corrected, estimated, isClientEstimate } = detail;
  return (
    <section aria-label="Cost" className="rounded-md border bg-sunken px-4 py-3">
      <div className="font-semibold text-xl">
        {corrected !== null ? (
          shortMoney(corrected)
        ) : nano === null ? (
          <span className="italic">unpriced</span>
        ) : pricing === "free" ? (
          <span className="italic">free</span>
        ) : (
          shortMoney(nano)
        )}
      </div>
      {corrected === null ? null : (
        <p className="text-muted text-sm">
          corrected to <code>{exactMoney(corrected)}</code>, which is used in totals. As reported:
        </p>
      )}
      {estimated === null ? null : (
        <p className="text-muted text-sm">
          ~{shortMoney(estimated)} by the price list (<code>{exactMoney(estimated)}</code>), not included in totals.
        </p>
      )}
      {isClientEstimate ? <ClientEstimate detail={detail} /> : null}
      <p className="text-muted text-sm">
        {nano === null ? (
          `${unpricedBecause(detail)}${corrected === null ? " Totals do not include this call." : ""}`
        ) : nano === 0n && usd !== null && /^[0.]*$/.test(usd) ? (
          "The agent reported a cost of exactly 0."
        ) : (
          <>
            in the ledger <code>{exactMoney(nano)}</code>
            {usd === null || !isRounded(usd) ? null : (
              <>
                , as reported <code className="break-all">${usd}</code>, rounded half up to a nano-dollar
              </>
            )}
          </>
        )}
      </p>
    </section>
  );
}

/** The cost that the client computed, with the cost by the price list for comparison. */
function ClientEstimate({ detail: { usd, ownPrice } }: { detail: CallDetailView }) {
  return (
    <p className="text-muted text-sm">
      Client's estimate: <code className="break-all">${usd}</code> as sent.{" "}
      {ownPrice === null ? (
        "No price list has a price for these tokens."
      ) : (
        <>
          By version {ownPrice.version} of the price list: <code>{exactMoney(ownPrice.nano)}</code>.
        </>
      )}
    </p>
  );
}

function TokenTable({ detail }: { detail: CallDetailView }) {
  return (
    <table className="w-full border-separate border-spacing-0 text-sm">
      <tbody>
        {tokenKinds.map(({ key, label, says }) => {
          const count = detail.tokens[key];
          return (
            <tr key={key}>
              <th
                scope="row"
                className="h-7 whitespace-nowrap border-line border-b pr-3 text-left align-top font-normal leading-7"
              >
                {label}
              </th>
              <td className="border-line border-b pr-4 text-right align-top font-medium leading-7">
                {count === null ? (
                  <Missing
                    reason={detail.hasUsage ? "Not reported." : "The provider reported no tokens for this call."}
                  />
                ) : (
                  formatCount(count)
                )}
              </td>
              <td className="w-full border-line border-b py-1.5 text-faint">{says}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Words({ title, text, missing }: { title: string; text: string | null; missing: string | null }) {
  if (text === null && missing === null) return null;
  return (
    <Section title={title}>
      {text === null ? <p className="text-muted">{missing}</p> : <Prose text={text} label={title} />}
    </Section>
  );
}

function Facts({ detail }: { detail: CallDetailView }) {
  const hrefOf = useCallsHref();
  const { agentName, sessionId, modelId, occurredAt, origin, receivedAt, id } = detail;
  const link = (key: string, value: string) => (
    <Link className="link break-all" href={hrefOf(key, value)}>
      {value}
    </Link>
  );
  return (
    <KeyValue
      items={[
        { label: "When", value: <ExactTime at={occurredAt} /> },
        { label: "Model", value: modelId === "" ? "not named" : link("model", modelId) },
        { label: "Made by", value: isHarness(modelId) ? "a coding harness that reports its own total" : undefined },
        { label: "Agent", value: link("agent", agentName) },
        {
          label: "Session",
          mono: sessionId !== "",
          value: sessionId === "" ? "no session" : link("session", sessionId),
        },
        {
          label: "Timeline",
          value:
            sessionId === "" ? undefined : (
              <Link className="link" href={timelineHref(detail, detail)}>
                Show this call in the session's timeline
              </Link>
            ),
        },
        {
          label: "Source",
          value:
            origin === "dispatch" ? (
              "live request"
            ) : (
              <>
                reported later, received <ExactTime at={receivedAt} />
              </>
            ),
        },
        { label: "Dispatch", value: id, mono: true },
      ]}
    />
  );
}

const box =
  "inset-focus max-h-80 overflow-y-auto whitespace-pre-wrap break-words rounded-md border bg-surface px-3 py-2";

/** Text as it was written, in a box that scrolls. */
function Prose({ text, label }: { text: string; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className={box}>
      {text}
    </section>
  );
}
