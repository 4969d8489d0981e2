import { cn } from "@/components/ui/cn";
import type { TextWait } from "@/server/hooks/contract/text/text-problems";

/** The time limits of each gate as a bar for each client, with the part that the client does not wait for. */
export function WaitBars({ waits }: { waits: readonly TextWait[] }) {
  if (waits.length === 0) return null;
  return (
    <section aria-label="Time limits of gates and of clients" className="flex flex-col gap-3 text-sm">
      {waits.map((wait) => (
        <Gate key={wait.event} wait={wait} />
      ))}
    </section>
  );
}

function Gate({ wait: { event, seconds, steps, clients } }: { wait: TextWait }) {
  const most = Math.max(seconds, ...clients.map((client) => client.seconds));
  return (
    <div className="flex flex-col gap-1">
      <p>
        <code>{event}</code>: {steps.map((step) => `${step.hook} ${step.seconds} s`).join(" + ")}
        {steps.length > 1 ? ` = ${seconds} s` : ""}
      </p>
      <ul className="flex flex-col gap-1">
        {clients.map((client) => (
          <li key={client.client} className="grid grid-cols-[9rem_1fr] items-center gap-x-3 max-sm:grid-cols-1">
            <span className="min-w-0 truncate text-muted">{client.client}</span>
            <Bar steps={steps} seconds={seconds} waited={client.seconds} most={most} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface BarProps {
  steps: TextWait["steps"];
  seconds: number;
  /** The client's own wait, in seconds. */
  waited: number;
  /** The seconds that the full width shows. */
  most: number;
}

function Bar({ steps, seconds, waited, most }: BarProps) {
  const isLate = seconds > waited;
  const share = (part: number) => `${(part / most) * 100}%`;
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="relative h-3 min-w-0 flex-1 overflow-hidden rounded-sm bg-hover">
        <span className="flex h-full">
          {steps.map((step, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: two hooks may have the same name
              key={`${index} ${step.hook}`}
              className="h-full border-surface border-r bg-unknown-line last:border-r-0"
              style={{ width: share(step.seconds) }}
            />
          ))}
        </span>
        {isLate ? (
          <span
            className="absolute inset-y-0 bg-deny"
            style={{ left: share(waited), width: share(seconds - waited) }}
          />
        ) : null}
        <span className="absolute inset-y-0 w-0.5 -translate-x-0.5 bg-text" style={{ left: share(waited) }} />
      </span>
      <span className={cn("min-w-28 shrink-0 whitespace-nowrap tabular-nums", isLate ? "text-deny" : "text-muted")}>
        waits {waited} s{isLate ? `, ${seconds - waited} s short` : ""}
      </span>
    </span>
  );
}
