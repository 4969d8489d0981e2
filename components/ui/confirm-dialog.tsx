"use client";

import { AlertDialog } from "radix-ui";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { scrimLook } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useRefusal } from "@/components/ui/refusal";

/** Thrown by `onConfirm` when another dialog takes over: this one closes without a message. */
export class TakenOver extends Error {}

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The act as a question: "Revoke the key of ci-bot?" */
  title: ReactNode;
  /** The change and the number of affected objects, in plain words. */
  children: ReactNode;
  /** The act as a verb: "Revoke key". */
  confirm: string;
  /** When it resolves, the dialog closes; a rejection other than `TakenOver` is shown and the dialog stays open. */
  onConfirm: () => Promise<unknown> | unknown;
  /** A word that must be typed first: only for acts that cannot be undone. */
  typed?: string;
  danger?: boolean;
  /**
   * True while the consequences load: the button is disabled until they can be read, and it must not move when they
   * arrive.
   */
  isPreparing?: boolean;
}

/** Stands before an act with consequences; Escape and "Keep" are the easy way out. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirm, typed, danger = true, isPreparing = false } = props;
  const { word, setWord, busy, failure, change, act } = useConfirmation(props);
  const opener = useRef<Element | null>(null);
  const giveFocusBack = (event: Event) => {
    if (!(opener.current instanceof HTMLElement) || !opener.current.isConnected) return;
    event.preventDefault();
    opener.current.focus();
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={change}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={scrimLook} />
        <AlertDialog.Content
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={giveFocusBack}
          className="-translate-x-1/2 fixed top-[16vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-24px)] max-w-110 animate-fade flex-col gap-3 overflow-y-auto rounded-lg bg-raised p-4 shadow-overlay outline-none"
        >
          <AlertDialog.Title className="font-semibold text-lg">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="flex flex-col gap-2 text-muted">{children}</div>
          </AlertDialog.Description>
          {typed === undefined ? null : (
            <Field
              label={
                <>
                  Type <strong className="font-mono font-semibold">{typed}</strong> to continue. This cannot be undone.
                </>
              }
            >
              <Input value={word} onChange={(event) => setWord(event.target.value)} autoComplete="off" mono />
            </Field>
          )}
          {failure ? <ErrorLine>{failure}</ErrorLine> : null}
          <div className="flex flex-wrap justify-end gap-2 pt-1">
            <AlertDialog.Cancel asChild>
              <Button disabled={busy}>Cancel</Button>
            </AlertDialog.Cancel>
            <Button
              variant={danger ? "danger" : "primary"}
              busy={busy}
              disabled={isPreparing || (typed !== undefined && word !== typed)}
              onClick={() => void act()}
            >
              {confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** Runs the confirmed act; then closes the dialog, or keeps the reason of the failure. */
function useConfirmation({ onOpenChange, onConfirm }: ConfirmDialogProps) {
  const refusalOf = useRefusal();
  const [word, setWord] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const change = (next: boolean) => {
    if (busy) return;
    setWord("");
    setFailure(null);
    onOpenChange(next);
  };
  const act = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      setWord("");
      onOpenChange(false);
    } catch (error) {
      if (error instanceof TakenOver) {
        setWord("");
        onOpenChange(false);
      } else setFailure(refusalOf(error).message);
    } finally {
      setBusy(false);
    }
  };
  return { word, setWord, busy, failure, change, act };
}
