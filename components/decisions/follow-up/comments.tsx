"use client";

import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { z } from "zod";
import { usePermission } from "@/components/access/permission";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Form, FormField, useForm } from "@/components/ui/form";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { COMMENT_CHARS_MAX, type CommentView, commentText } from "@/server/follow-ups/schema";
import type { EventKey } from "@/server/recording/event-key-schema";

const commentForm = z.object({ text: commentText });

interface CommentsProps {
  call: EventKey;
  comments: readonly CommentView[];
}

/** The comments on a call, the oldest first, and a field for one more. */
export function Comments({ call, comments }: CommentsProps) {
  const { isGranted } = usePermission("call:follow-up");
  return (
    <>
      {comments.length === 0 ? null : (
        <ol aria-label="Comments" className="flex flex-col divide-y divide-line rounded-md border bg-surface">
          {comments.map((comment) => (
            <Comment key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {isGranted ? <NewComment call={call} /> : null}
    </>
  );
}

function Comment({ comment: { id, author, at, text, isRemovable } }: { comment: CommentView }) {
  const trpc = useTRPC();
  const remove = useMutation(
    trpc.followUps.removeComment.mutationOptions({
      onSuccess: () => toast.success("Comment removed"),
      onError: (error) => toast.error("The comment could not be removed", { description: failureSentence(error) }),
    }),
  );
  return (
    <li className="flex items-start gap-2 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="text-muted text-sm">
          <span className="font-medium text-text">{author}</span> · <RelativeTime at={at} />
        </p>
        <p className="whitespace-pre-wrap break-words">{text}</p>
      </div>
      {isRemovable ? (
        <IconButton
          icon={Trash2}
          size="sm"
          label={`Remove the comment of ${author}`}
          disabled={remove.isPending}
          onClick={() => remove.mutate({ id })}
        />
      ) : null}
    </li>
  );
}

function NewComment({ call }: { call: EventKey }) {
  const trpc = useTRPC();
  const form = useForm(commentForm, { text: "" });
  const comment = useMutation(trpc.followUps.comment.mutationOptions());
  return (
    <Form
      form={form}
      onSubmit={async ({ text }) => {
        await comment.mutateAsync({ call, text });
        form.reset();
      }}
      className="gap-2"
      foot={
        <Button type="submit" size="sm" busy={form.formState.isSubmitting} className="self-start">
          Comment
        </Button>
      }
    >
      <FormField
        form={form}
        name="text"
        label="New comment"
        help="People in this workspace can read the comment. Agents cannot."
      >
        {(field) => <Textarea {...field} rows={2} maxLength={COMMENT_CHARS_MAX} />}
      </FormField>
    </Form>
  );
}
