"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { type ComponentProps, type FormEvent, type ReactNode, useRef, useState } from "react";
import {
  type ControllerRenderProps,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldPathByValue,
  type FieldValues,
  get,
  type UseFormReturn,
  useController,
  useFormState,
  useForm as useHookForm,
} from "react-hook-form";
import type { ZodType } from "zod";
import { Button } from "@/components/ui/button";
import { Checkbox, type CheckboxProps } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { ErrorLine } from "@/components/ui/error-state";
import { Field, type FieldProps } from "@/components/ui/field";
import { type Refusal, useRefusal } from "@/components/ui/refusal";

type FormOf<In extends FieldValues, Out> = UseFormReturn<In, unknown, Out>;

/**
 * A form's values, checked by a schema when they are submitted and then during typing. `onChange` checks from the first
 * letter on, for values that are never validly incomplete, such as a number.
 */
export function useForm<In extends FieldValues, Out>(
  schema: ZodType<Out, In>,
  defaultValues: DefaultValues<NoInfer<In>>,
  mode: "onSubmit" | "onChange" = "onSubmit",
): FormOf<In, Out> {
  return useHookForm<In, unknown, Out>({ resolver: zodResolver<In, unknown, Out>(schema), defaultValues, mode });
}

export interface FormProps<In extends FieldValues, Out> extends Omit<ComponentProps<"form">, "onSubmit" | "action"> {
  form: FormOf<In, Out>;
  /** Receives the parsed values. A rejection is shown, and typed text is kept. */
  onSubmit: (values: Out) => Promise<unknown> | unknown;
  /** On the button that sends: "Save budget". */
  action?: string;
  /** If set, there is also a "Cancel" button, as in a dialog. */
  onCancel?: () => void;
  /** True while the form cannot be submitted yet. */
  disabled?: boolean;
  /** True if the buttons stay in sight at the bottom of a dialog whose fields scroll. */
  pinsButtons?: boolean;
  /** Replaces the buttons; null when the foot of a dialog holds them. */
  foot?: ReactNode;
}

/**
 * Submits the values that the schema accepts, one submission at a time. The first invalid field takes the focus; a
 * refusal is shown at its field or below the form.
 */
export function Form<In extends FieldValues, Out>(props: FormProps<In, Out>) {
  const { form, onSubmit, action, onCancel, disabled, pinsButtons, foot, className, children, ...rest } = props;
  const refusalOf = useRefusal();
  const isSending = useRef(false);
  const [helpHref, setHelpHref] = useState<string>();
  const { errors, isSubmitting } = useFormState({ control: form.control });
  const send = async (values: Out) => {
    try {
      await onSubmit(values);
    } catch (error) {
      const refusal = refusalOf(error);
      setHelpHref(refusal.helpHref);
      refuse(form, refusal);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    await form
      .handleSubmit(
        send,
        (wrongs) => hasField(form, Object.keys(wrongs)) || refuseWhole(form, wrongs),
      )(event)
      .finally(() => {
        isSending.current = false;
      });
  };
  const button = { type: "submit", busy: isSubmitting, disabled: disabled ?? false, children: action } as const;
  return (
    <form
      noValidate
      className={cn("flex flex-col gap-4", onCancel && !pinsButtons && "pb-3", className)}
      {...rest}
      onSubmit={(event) => void submit(event)}
    >
      {children}
      {errors.root?.message ? <ErrorLine helpHref={helpHref}>{errors.root.message}</ErrorLine> : null}
      {foot}
      {onCancel ? (
        <div
          className={cn(
            "flex justify-end gap-2",
            pinsButtons && "-bottom-2 -mx-4 -mb-2 sticky border-line border-t bg-raised px-4 py-3",
          )}
        >
          <Button onClick={onCancel}>Cancel</Button>
          <Button variant="primary" {...button} />
        </div>
      ) : action === undefined ? null : (
        <Button className="self-start" {...button} />
      )}
    </form>
  );
}

const hasField = <In extends FieldValues, Out>(form: FormOf<In, Out>, paths: readonly string[]): boolean =>
  paths.some((path) => get(form.control._fields, path) !== undefined);

/** Shows the first error that belongs to no field below the form. */
function refuseWhole<In extends FieldValues, Out>(form: FormOf<In, Out>, wrongs: FieldErrors<In>): void {
  const [first] = Object.values(wrongs);
  form.setError("root", { message: typeof first?.message === "string" ? first.message : "Invalid input." });
}

/** Shows a refusal at the fields that the server names; otherwise below the form. */
function refuse<In extends FieldValues, Out>(form: FormOf<In, Out>, { message, fields }: Refusal): void {
  const known = fields.filter(({ path }) => hasField(form, [path]));
  if (known.length === 0) form.setError("root", { message });
  // Holds: it is the path of a field that is there.
  for (const [at, one] of known.entries())
    form.setError(one.path as FieldPath<In>, { message: one.message }, { shouldFocus: at === 0 });
}

interface OfForm<In extends FieldValues, Name extends FieldPath<In>, Out> {
  form: FormOf<In, Out>;
  name: Name;
}

export interface FormFieldProps<In extends FieldValues, Name extends FieldPath<In>, Out>
  extends OfForm<In, Name, Out>,
    Omit<FieldProps, "children"> {
  /** The control; it takes name, value, onChange, onBlur and ref. */
  children: (field: ControllerRenderProps<In, Name>) => ReactNode;
}

/** The first error in a value, or in a part of it. */
function wordsOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("message" in error && typeof error.message === "string") return error.message;
  return Object.values(error).map(wordsOf).find(Boolean);
}

/** One value of a form with its label, its help and the error in it. */
export function FormField<In extends FieldValues, Name extends FieldPath<In>, Out>(
  props: FormFieldProps<In, Name, Out>,
) {
  const { form, name, children, error, ...rest } = props;
  const { field, fieldState } = useController({ control: form.control, name });
  return (
    <Field {...rest} error={wordsOf(fieldState.error) ?? error}>
      {children(field)}
    </Field>
  );
}

interface FormCheckboxProps<In extends FieldValues, Name extends FieldPath<In>, Out>
  extends OfForm<In, Name, Out>,
    Omit<CheckboxProps, "checked" | "onChange"> {
  /** Called after the value is put: other fields may follow. */
  onToggle?: (isOn: boolean) => void;
}

/** A value of a form that is true or not. */
export function FormCheckbox<In extends FieldValues, Name extends FieldPathByValue<In, boolean>, Out>(
  props: FormCheckboxProps<In, Name, Out>,
) {
  const { form, name, onToggle, ...rest } = props;
  const { field } = useController({ control: form.control, name });
  const put = (isOn: boolean) => {
    field.onChange(isOn);
    onToggle?.(isOn);
  };
  return <Checkbox {...rest} checked={field.value === true} onChange={put} />;
}

interface FormChecksProps<In extends FieldValues, Name extends FieldPath<In>, Out> extends OfForm<In, Name, Out> {
  legend: string;
  options: readonly { readonly value: string; readonly label: ReactNode; readonly help?: ReactNode }[];
}

/** Several of a few options, each with its text. */
export function FormChecks<In extends FieldValues, Name extends FieldPathByValue<In, readonly string[]>, Out>(
  props: FormChecksProps<In, Name, Out>,
) {
  const { field, fieldState } = useController({ control: props.form.control, name: props.name });
  const chosen: readonly string[] = field.value;
  const put = (value: string, isOn: boolean) =>
    field.onChange(isOn ? [...chosen, value] : chosen.filter((one) => one !== value));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-medium text-sm">{props.legend}</legend>
      {props.options.map(({ value, ...words }) => (
        <Checkbox key={value} {...words} checked={chosen.includes(value)} onChange={(isOn) => put(value, isOn)} />
      ))}
      {fieldState.error ? <ErrorLine>{fieldState.error.message}</ErrorLine> : null}
    </fieldset>
  );
}

interface FormCheckRowProps<In extends FieldValues, Name extends FieldPath<In>, Out>
  extends FormChecksProps<In, Name, Out> {
  help: ReactNode;
}

/** Any number of a few in one line, so that lines below each other are a table. */
export function FormCheckRow<In extends FieldValues, Name extends FieldPathByValue<In, readonly string[]>, Out>(
  props: FormCheckRowProps<In, Name, Out>,
) {
  const { field } = useController({ control: props.form.control, name: props.name });
  const chosen: readonly string[] = field.value;
  const put = (value: string, isOn: boolean) =>
    field.onChange(isOn ? [...chosen, value] : chosen.filter((one) => one !== value));
  return (
    <fieldset className="relative flex flex-col gap-2 py-2.5 sm:flex-row sm:items-center sm:gap-4">
      <legend className="sr-only">{props.legend}</legend>
      <div className="min-w-0 flex-1">
        <p aria-hidden className="font-medium">
          {props.legend}
        </p>
        <p className="text-muted text-sm">{props.help}</p>
      </div>
      <div className="flex justify-between gap-2 sm:grid sm:w-92 sm:grid-cols-4">
        {props.options.map(({ value, label }) => (
          <Checkbox key={value} label={label} checked={chosen.includes(value)} onChange={(isOn) => put(value, isOn)} />
        ))}
      </div>
    </fieldset>
  );
}
