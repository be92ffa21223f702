import type { BusinessTool, Tool } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';

/**
 * The tool of this name as if one person were enough to be told of: in worked examples few people do things
 * one after another. What is told of one to four of them is the matter of followed-people.test.ts.
 */
export function ofAnybody(name: string): Tool {
  const tool = CATALOGUE.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  if (tool.scope === 'account') return tool;
  const told: BusinessTool = {
    ...tool,
    // Another one, also to what tests remember of answers.
    name: `${name}_of_anybody`,
    plan: (context) => tool.plan({ ...context, leastFollowed: 1 }),
  };
  return told;
}
