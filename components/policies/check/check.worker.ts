/** Checks policy texts beside the page, so that typing never waits. One message in, one out, in order. */
import { type CheckContext, checkText } from "@quarterdeck/hooks/contract/text/check";

export interface Asked {
  readonly text: string;
  readonly context: CheckContext;
}

self.onmessage = ({ data }: MessageEvent<Asked>) => {
  self.postMessage(checkText(data.text, data.context));
};
