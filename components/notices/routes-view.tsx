"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type UseFormReturn, useFieldArray } from "react-hook-form";
import { z } from "zod";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { Form, FormChecks, FormField, useForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { SEVERITIES } from "@/server/alerts/schema";
import {
  type AlertRoutes,
  type AlertRoutesView,
  alertRoute,
  alertRoutes,
  ROUTES_MAX,
  TEAM_CHARS_MAX,
} from "@/server/notices/routes-schema";

/** The routes of alerts to teams. */
export function RoutesView() {
  const trpc = useTRPC();
  const routes = useQuery(trpc.notices.routes.queryOptions());
  if (routes.data)
    return <RoutesForm key={routes.data.setAt?.getTime() ?? 0} view={routes.data} onSaved={() => routes.refetch()} />;
  if (routes.error)
    return (
      <ErrorState
        title="The routes could not be loaded"
        reason={failureSentence(routes.error)}
        stillWorks="Saved routes still apply."
        onRetry={() => void routes.refetch()}
        retrying={routes.isFetching}
      />
    );
  return (
    <Loading label="the routes">
      <Skeleton className="h-40" />
    </Loading>
  );
}

const ANY = "any";
const idOrNull = z.string().transform((value) => (value === ANY ? null : value));
const routesForm = z
  .object({ routes: z.array(alertRoute.extend({ groupId: idOrNull, webhookId: idOrNull })) })
  .pipe(alertRoutes);
type Values = z.input<typeof routesForm>;
type RoutesFormState = UseFormReturn<Values, unknown, AlertRoutes>;

function RoutesForm({ view, onSaved }: { view: AlertRoutesView; onSaved: () => Promise<unknown> }) {
  const trpc = useTRPC();
  const form = useForm(routesForm, {
    routes: view.routes.map((route) => ({
      ...route,
      groupId: route.groupId ?? ANY,
      webhookId: route.webhookId ?? ANY,
      people: route.people.filter((id) => view.people.some((one) => one.id === id)),
    })),
  });
  const save = useMutation(trpc.notices.setRoutes.mutationOptions());
  const submit = async (values: AlertRoutes) => {
    await save.mutateAsync(values);
    toast.success("Routes saved");
    await onSaved();
  };
  const { fields, append, remove } = useFieldArray({ control: form.control, name: "routes" });
  return (
    <Section title="Alerts by team" framed>
      <Form
        form={form}
        onSubmit={submit}
        foot={
          <PermittedButton
            to="alert:write"
            type="submit"
            variant="primary"
            busy={form.formState.isSubmitting}
            className="self-start"
          >
            Save routes
          </PermittedButton>
        }
      >
        <p className="text-muted">
          An alert goes to the people and the webhook of every matching route. If no route matches, the alert goes to
          everyone.
        </p>
        {fields.map(({ id }, at) => (
          <Route key={id} form={form} at={at} view={view} onRemove={() => remove(at)} />
        ))}
        <PermittedButton
          to="alert:write"
          size="sm"
          className="self-start"
          disabled={fields.length >= ROUTES_MAX}
          onClick={() => append({ team: "", groupId: ANY, from: "warning", people: [], webhookId: ANY })}
        >
          Add a route
        </PermittedButton>
      </Form>
    </Section>
  );
}

interface RouteProps {
  form: RoutesFormState;
  at: number;
  view: AlertRoutesView;
  onRemove: () => void;
}

function Route({ form, at, view: { people, groups, webhooks }, onRemove }: RouteProps) {
  const named = groups.map(({ id, name }) => ({ value: id, label: name }));
  const hosts = webhooks.map(({ id, host, shape }) => ({ value: id, label: `${host} (${shape})` }));
  return (
    <div className="flex flex-col gap-3 rounded-md border p-3">
      <div className="grid gap-3 sm:grid-cols-4">
        <FormField form={form} name={`routes.${at}.team`} label="Team">
          {(field) => <Input {...field} maxLength={TEAM_CHARS_MAX} autoComplete="off" />}
        </FormField>
        <FormField form={form} name={`routes.${at}.groupId`} label="Alerts about">
          {(field) => <Select {...field} options={[{ value: ANY, label: "All agents" }, ...named]} />}
        </FormField>
        <FormField form={form} name={`routes.${at}.from`} label="From severity">
          {(field) => <Select {...field} options={SEVERITIES.map((value) => ({ value, label: value }))} />}
        </FormField>
        <FormField form={form} name={`routes.${at}.webhookId`} label="Webhook">
          {(field) => <Select {...field} options={[{ value: ANY, label: "None" }, ...hosts]} />}
        </FormField>
      </div>
      <FormChecks
        form={form}
        name={`routes.${at}.people`}
        legend="People"
        options={people.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Button size="sm" className="self-start" onClick={onRemove} aria-label={`Remove route ${at + 1}`}>
        Remove
      </Button>
    </div>
  );
}
