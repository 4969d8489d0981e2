import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";

/** The initial text of a new policy. Its rule works with every client, and needs neither a sandbox nor a program. */
export const STARTING_SOURCE = `# Hooks run at points of an agent's life. This one reads every tool call of every client before it runs and denies recursive deletes.
profile: "${NEWEST_PROFILE}"
hooks:
  pre_tool_use:
    - matcher: "*"
      preempt_yolo: true # also where the agent may skip questions
      hooks:
        - name: no recursive delete
          type: rules
          rules:
            # However it is written: rm -rf, rm -f -R, sudo /bin/rm --recursive, sh -c 'rm -r build'.
            - deny: Recursive deletes are not allowed here. Delete single files, or ask a person.
              command: { program: rm, flags: [recursive] }
`;
