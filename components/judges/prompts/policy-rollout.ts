/** The part of publishing a prompt that belongs to the policies that use it. The route composes it. */
import type { ReactNode } from "react";

export interface PolicyRollout {
  /** The choice; null if no policy in force uses the prompt. */
  readonly fields: ReactNode;
  /** The second half of the button's text, such as "start the canary"; null if the policies keep their revision. */
  readonly action: string | null;
  /** True while the choice cannot be taken. */
  readonly isHeld: boolean;
  /** Puts the revision into the chosen policies. Errors: none; a refusal is a sentence of its policy. */
  readonly put: (revision: {
    readonly label: { readonly name: string; readonly revision: number };
    readonly prompt: string;
    readonly model: string;
    readonly schema: string;
  }) => Promise<readonly { readonly isDone: boolean; readonly says: string }[]>;
  readonly reset: () => void;
}
