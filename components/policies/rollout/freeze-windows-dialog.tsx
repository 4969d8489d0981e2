"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useWatch } from "react-hook-form";
import { PermittedButton } from "@/components/access/permitted-button";
import {
  reasonSentence,
  spanText,
  timesText,
  USUAL_WINDOW,
  WEEKDAYS,
  type WindowFormValues,
  windowForm,
} from "@/components/policies/rollout/freeze-window-text";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine, ErrorState } from "@/components/ui/error-state";
import { Form, FormField, useForm } from "@/components/ui/form";
import { useNow } from "@/components/ui/format/clock";
import { Input } from "@/components/ui/input";
import { Mark } from "@/components/ui/mark";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { FreezeWindowView } from "@/server/policies/publishing/freeze-window-schema";

/** The freeze windows of the workspace: the next one, all of them, and a form for another. */
export function FreezeWindowsDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Freeze windows"
      description="During a freeze window, Quarterdeck blocks changes to policies in force. Agents are not affected."
    >
      {open ? <Windows /> : null}
    </Dialog>
  );
}

function Windows() {
  const trpc = useTRPC();
  const nowMs = useNow(60_000) ?? 0;
  const query = useQuery(trpc.policies.freezeWindows.queryOptions());
  if (query.isError && !query.data)
    return (
      <ErrorState
        compact
        title="Couldn't load freeze windows"
        reason={failureSentence(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  if (!query.data)
    return (
      <Loading label="freeze windows">
        <SkeletonText lines={4} />
      </Loading>
    );
  const { timeZone, windows, next } = query.data;
  return (
    <div className="flex flex-col gap-5 pb-3">
      <p>{next === null ? "No freeze is planned." : `Next freeze: ${spanText(next, nowMs)}, ${next.reason}`}</p>
      {windows.length === 0 ? null : (
        <ul aria-label="Freeze windows" className="divide-y divide-line rounded-md border">
          {windows.map((window) => (
            <WindowRow key={window.id} window={window} nowMs={nowMs} />
          ))}
        </ul>
      )}
      <AddWindow timeZone={timeZone} />
    </div>
  );
}

function WindowRow({ window, nowMs }: { window: FreezeWindowView; nowMs: number }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const { id, times, reason, by, next, isLifted } = window;
  const remove = useMutation(
    trpc.policies.removeFreezeWindow.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast.success("Freeze window removed");
      },
    }),
  );
  const isActive = next !== null && next.from.getTime() <= nowMs;
  return (
    <li className="flex flex-col gap-1 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{timesText(times)}</span>
        {next === null ? <Mark tone="canceled" label="over" /> : null}
        {isActive ? <Mark tone={isLifted ? "canceled" : "ask"} label={isLifted ? "lifted" : "active"} /> : null}
        <PermittedButton
          to="policy:govern"
          size="sm"
          place="ml-auto"
          busy={remove.isPending}
          onClick={() => remove.mutate({ id })}
          aria-label={`Remove: ${timesText(times)}`}
        >
          <Trash2 aria-hidden /> Remove
        </PermittedButton>
      </div>
      <p className="break-words text-muted text-sm">
        {reasonSentence(reason)} Added by {by}.
      </p>
      {remove.error ? <ErrorLine>{failureSentence(remove.error)}</ErrorLine> : null}
    </li>
  );
}

function AddWindow({ timeZone }: { timeZone: string }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const form = useForm(windowForm, USUAL_WINDOW);
  const kind = useWatch({ control: form.control, name: "kind" });
  const add = useMutation(
    trpc.policies.addFreezeWindow.mutationOptions({
      onSuccess: async () => {
        await refresh();
        form.reset();
        toast.success("Freeze window added");
      },
    }),
  );
  return (
    <Form
      form={form}
      action="Add window"
      className="gap-3 border-line border-t pt-4"
      onSubmit={(values) => add.mutateAsync(values)}
    >
      <Segmented<WindowFormValues["kind"]>
        label="Repeats"
        value={kind}
        onChange={(next) => form.setValue("kind", next)}
        options={[
          { value: "weekly", label: "Every week" },
          { value: "once", label: "Once" },
        ]}
        className="self-start"
      />
      {kind === "weekly" ? (
        <div className="grid grid-cols-2 gap-3">
          {(["from", "to"] as const).map((end) => (
            <div key={end} className="contents">
              <FormField form={form} name={`${end}Day`} label={end === "from" ? "From" : "To"}>
                {(field) => <Select {...field} options={DAYS} />}
              </FormField>
              <FormField form={form} name={`${end}Time`} label={end === "from" ? "From, time" : "To, time"}>
                {(field) => <Input {...field} type="time" />}
              </FormField>
            </div>
          ))}
        </div>
      ) : (
        <div className="grid gap-3 sm:grid-cols-2">
          <FormField form={form} name="fromLocal" label="From">
            {(field) => <Input {...field} type="datetime-local" />}
          </FormField>
          <FormField form={form} name="toLocal" label="To">
            {(field) => <Input {...field} type="datetime-local" />}
          </FormField>
        </div>
      )}
      <FormField form={form} name="reason" label="Reason" help={`Times are in the workspace's time zone, ${timeZone}.`}>
        {(field) => <Input {...field} maxLength={300} autoComplete="off" />}
      </FormField>
    </Form>
  );
}

const DAYS = WEEKDAYS.map((label, index) => ({ value: String(index + 1), label }));
