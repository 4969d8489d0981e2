"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Tags } from "lucide-react";
import { Fragment, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { Totals } from "@/components/costs/totals";
import { ActDialog } from "@/components/layout/act-dialog";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount, plural } from "@/components/ui/format/count";
import { exactMoney } from "@/components/ui/format/nano";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Mark } from "@/components/ui/mark";
import { Card, Section } from "@/components/ui/section";
import { SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { Price, PriceListsView } from "@/server/costs/prices/schema";
import type { CostSummaryView } from "@/server/costs/schema";

const PriceEditor = loadWhenOpened(
  () => import("@/components/costs/price-editor").then((one) => one.PriceEditor),
  "from",
);

interface PricesViewProps {
  /** Undefined before it is read; null if it could not be. */
  summary: CostSummaryView | undefined | null;
  during: string;
  isLive: boolean;
}
type Version = PriceListsView["versions"][number];

/** The price list in its versions, and which one unpriced calls are estimated with. */
export function PricesView({ summary, during, isLive }: PricesViewProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const lists = useQuery(trpc.prices.lists.queryOptions());
  const [editing, setEditing] = useState<{
    version: number;
    prices: readonly Price[];
    models: readonly string[];
  } | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const newest = lists.data?.versions[0];
  const edit = async () => {
    try {
      const prices = newest ? (await client.prices.list.query({ version: newest.version })).prices : [];
      setEditing({ version: newest?.version ?? 0, prices, models: newest || !summary ? [] : await unpriced() });
    } catch (error) {
      toast.error("The prices could not be loaded", { description: failureSentence(error) });
    }
  };
  /** Models without a price, as a start for the first list. */
  const unpriced = async () => {
    if (!summary) return [];
    const { lines } = await client.costs.byModel.query({ from: summary.from, to: summary.to });
    return lines.filter(({ name, ledger }) => name !== "" && ledger.unpriced > 0).map(({ name }) => name);
  };
  const begin = (
    <PermittedButton to="ledger:write" variant="primary" size="sm" disabled={!lists.data} onClick={() => void edit()}>
      {newest ? "New version" : "Create a price list"}
    </PermittedButton>
  );
  return (
    <div className="flex flex-col gap-4">
      {summary === null ? null : <Totals summary={summary} during={during} isLive={isLive} />}
      <Section title="Fallback prices" aside="for unpriced calls" actions={newest ? begin : null}>
        {lists.isError && !lists.data ? (
          <ErrorState
            title="The price list could not be loaded"
            reason={failureSentence(lists.error)}
            stillWorks={<GatewayStatus />}
            onRetry={() => void lists.refetch()}
          />
        ) : lists.data === undefined ? (
          <SkeletonText lines={4} />
        ) : newest === undefined ? (
          <Card className="p-0">
            <EmptyState icon={Tags} title="No price list yet" action={begin}>
              Optional. Estimates costs that agents do not report. Estimates are shown next to the total and not
              included in it.
            </EmptyState>
          </Card>
        ) : (
          <Versions lists={lists.data} onEstimate={setAsked} />
        )}
      </Section>
      <PriceEditor
        from={editing}
        onClose={() => setEditing(null)}
        onSaved={(version) => {
          setEditing(null);
          setAsked(version);
        }}
      />
      <Estimate version={asked} onClose={() => setAsked(null)} />
    </div>
  );
}

function Versions({ lists, onEstimate }: { lists: PriceListsView; onEstimate: (version: number) => void }) {
  const { versions, estimation, isCut } = lists;
  return (
    <ol className="flex flex-col gap-2">
      {versions.map((version) => {
        const own = estimation?.version === version.version ? estimation : null;
        return (
          <li key={version.version} className="flex flex-col gap-2 rounded-md border bg-surface px-4 py-2">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">Version {version.version}</span>
              {own ? (
                <Mark tone="observe" label={own.settledAt === null ? "estimating" : "used for estimates"} />
              ) : null}
              <span className="text-muted text-sm">
                {plural(version.count, "price")} · {version.createdBy}, <RelativeTime at={version.createdAt} />
                {version.note === "" ? "" : ` · ${version.note}`}
              </span>
              {own ? null : (
                <PermittedButton
                  to="ledger:write"
                  size="sm"
                  place="ml-auto"
                  onClick={() => onEstimate(version.version)}
                >
                  Use for estimates
                </PermittedButton>
              )}
            </div>
            <Prices version={version} isOpen={own !== null || versions.length === 1} />
          </li>
        );
      })}
      {isCut ? <li className="text-faint text-sm">Older versions of the price list are not shown.</li> : null}
    </ol>
  );
}

function Prices({ version: { version }, isOpen }: { version: Version; isOpen: boolean }) {
  const trpc = useTRPC();
  const [isShown, setIsShown] = useState(isOpen);
  const list = useQuery({ ...trpc.prices.list.queryOptions({ version }), enabled: isShown, staleTime: Infinity });
  return (
    <details open={isShown} onToggle={(event) => setIsShown(event.currentTarget.open)}>
      <summary className="text-muted text-sm">Prices in dollars per million tokens</summary>
      {list.isError ? <p className="text-deny text-sm">{failureSentence(list.error)}</p> : null}
      {list.isPending && isShown ? <SkeletonText lines={2} /> : null}
      {list.data ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="inset-focus overflow-x-auto" tabIndex={0} aria-label={`Prices in version ${version}`}>
          <table className="w-full text-sm">
            <thead>
              <tr className="text-left text-faint">
                <th className="py-1 pr-4 font-normal">Model or pattern</th>
                {["Input", "Output", "Cached input", "Cache write"].map((name) => (
                  <th key={name} className="whitespace-nowrap py-1 pl-4 text-right font-normal">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {list.data.prices.map(({ pattern, longPrompt, ...price }) => (
                <Fragment key={pattern}>
                  <tr className="border-line border-t">
                    <td className="break-all py-1 pr-4 font-mono">{pattern}</td>
                    <Amounts price={price} />
                  </tr>
                  {longPrompt ? (
                    <tr className="text-muted">
                      <td className="py-1 pr-4 pl-4">prompts above {formatCount(longPrompt.aboveTokens)} tokens</td>
                      <Amounts price={longPrompt} />
                    </tr>
                  ) : null}
                </Fragment>
              ))}
            </tbody>
          </table>
          <p className="py-1 text-faint text-sm">
            Agents report cache writes as one number, so writes that are kept for an hour have the price of cache
            writes.
          </p>
        </section>
      ) : null}
    </details>
  );
}

function Amounts({ price }: { price: Omit<Price, "pattern" | "longPrompt"> }) {
  const { input, output, cachedInput, cacheWrite } = price;
  return (
    <>
      {[input, output].map((nano, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two fixed columns
        <td key={index} className="py-1 pl-4 text-right">
          {exactMoney(nano)}
        </td>
      ))}
      {[cachedInput, cacheWrite].map((nano, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two fixed columns
        <td key={index} className="py-1 pl-4 text-right text-muted">
          {nano === null ? "as input" : exactMoney(nano)}
        </td>
      ))}
    </>
  );
}

function Estimate({ version, onClose }: { version: number | null; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return (
    <ActDialog
      mutation={trpc.prices.estimate.mutationOptions()}
      input={version !== null && { version }}
      onClose={onClose}
      title={`Estimate unpriced calls with version ${version ?? ""}?`}
      confirm="Estimate"
      danger={false}
      success={({ added, isAll }) =>
        `${plural(added, "estimate")} changed${isAll ? "" : "; the rest is updated in the background"}`
      }
      onDone={() =>
        Promise.all(
          [trpc.prices.pathKey(), trpc.costs.pathKey()].map((queryKey) => queries.invalidateQueries({ queryKey })),
        )
      }
    >
      All unpriced calls are estimated, past and future. Earlier estimates without a price in this version are removed.
      Reported totals do not change.
    </ActDialog>
  );
}
