"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Form, FormField, useForm } from "@/components/ui/form";
import { plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Money } from "@/components/ui/format/money";
import { Input } from "@/components/ui/input";
import { KeyValue } from "@/components/ui/key-value";
import { Mark } from "@/components/ui/mark";
import { type ConnectionView, causeWords, type Tested, testConnection } from "@/server/judges/schema";

/** Asks a model of a connection for one word, and shows the answer. */
export function TestDialog({ connection, onClose }: { connection: ConnectionView | null; onClose: () => void }) {
  return (
    <Dialog
      open={connection !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      size="sm"
      title={`Test ${connection?.name ?? ""}`}
      description="The test asks the model for one word. This model call is billed and counts towards the connection's daily limit."
    >
      {connection ? <TestForm key={connection.id} connection={connection} onClose={onClose} /> : null}
    </Dialog>
  );
}

function TestForm({ connection, onClose }: { connection: ConnectionView; onClose: () => void }) {
  const trpc = useTRPC();
  const form = useForm(testConnection, { id: connection.id, model: connection.prices[0]?.model ?? "" });
  const model = useWatch({ control: form.control, name: "model" }).trim();
  const ask = useMutation(trpc.judges.test.mutationOptions());
  return (
    <Form
      form={form}
      className="pb-3"
      onSubmit={(values) => ask.mutateAsync(values)}
      foot={
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" variant="primary" busy={ask.isPending} disabled={model === ""}>
            Send test
          </Button>
        </div>
      }
    >
      <FormField
        form={form}
        name="model"
        label="Model"
        help={`The provider's name for the model. In a hook: ${connection.name}/${model || "MODEL"}.`}
      >
        {(field) => <Input {...field} mono autoComplete="off" maxLength={200} list="tested-models" />}
      </FormField>
      <datalist id="tested-models">
        {connection.prices.map((price) => (
          <option key={price.model} value={price.model} />
        ))}
      </datalist>
      <div aria-live="polite">{ask.data && !ask.isPending ? <Outcome tested={ask.data} /> : null}</div>
    </Form>
  );
}

function Outcome({ tested }: { tested: Tested }) {
  const { inputTokens, outputTokens, cause } = tested;
  return (
    <section aria-label="Result" className="flex flex-col gap-2 rounded-md border bg-sunken px-3 py-2.5">
      <Mark
        tone={tested.ok ? "allow" : "error"}
        label={tested.ok ? "Connection works" : cause ? `No answer: ${causeWords(cause).label}` : "No answer"}
      />
      {tested.ok ? null : <p className="break-words text-sm">{tested.says}</p>}
      <KeyValue
        className="text-sm"
        items={[
          { label: "Reply", value: tested.reply === null ? undefined : tested.reply || "nothing", mono: true },
          { label: "Answered by", value: tested.answeredBy ?? undefined, mono: true },
          { label: "After", value: formatDuration(tested.latencyMs) },
          {
            label: "Tokens",
            value:
              inputTokens === null || outputTokens === null
                ? undefined
                : `${plural(inputTokens, "token")} in, ${plural(outputTokens, "token")} out`,
          },
          {
            label: "Cost",
            value: tested.ok ? (
              <Money nano={tested.nano} zeroIsFree reason="The connection has no price for this model." />
            ) : undefined,
          },
        ]}
      />
    </section>
  );
}
