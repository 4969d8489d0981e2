/** Detects functions that call themselves without end. Pure. */
import {
  type CommandNode,
  type Function as FunctionNode,
  forEachChild,
  type PipelineNode,
  type SyntaxNode,
} from "unbash";

/** True if a function calls itself in a pipe or in the background. */
export function callsItself(node: FunctionNode, name: string): boolean {
  let found = false;
  const isCall = (one: PipelineNode | CommandNode) => one.type === "Command" && one.name?.value === name;
  const visit = (child: SyntaxNode): void => {
    if (child.type === "Pipeline") found ||= child.commands.filter(isCall).length > 0;
    if (child.type === "Statement" && child.background === true && child.command.type === "Command")
      found ||= isCall(child.command);
    forEachChild(child, visit);
  };
  visit(node.body);
  return found;
}
