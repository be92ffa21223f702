import type { Tool } from '../../answers/tool.ts';
import { numbersOf, wordsOf } from './defined-fields.ts';
import { type DefinitionBlock, definitionBlocks } from './definition-blocks.ts';
import { shortNames } from './short-names.ts';
import { MANY_TOPICS, TOPICS, type Topic } from './topics.ts';

/** The numbers that a resource defines, by topic. */
export function definitionSections(tools: readonly Tool[], uri: string): Record<string, string> {
  const topics = [...definitionBlocks(tools.flatMap(numbersOf))].filter(
    ([topic]) => TOPICS[topic].uri === uri,
  );
  return Object.fromEntries(
    topics.map(([topic, blocks]) => {
      const lines = blockLines(topic, blocks);
      const notation = uri === 'analytics://metrics' ? '' : ' Notation: analytics://metrics.';
      return [
        `Numbers: ${topic}`,
        [`Basis: ${TOPICS[topic].basis}.${notation}`, '```', ...lines, '```'].join('\n'),
      ];
    }),
  );
}

/** What the flags, choices and texts of all tools mean. */
export function wordDefinitions(tools: readonly Tool[]): string {
  const lines = [...definitionBlocks(tools.flatMap(wordsOf))].flatMap(([topic, blocks]) =>
    blockLines(topic, blocks),
  );
  return ['```', ...lines, '```'].join('\n');
}

function blockLines(topic: Topic, blocks: readonly DefinitionBlock[]): string[] {
  return blocks.flatMap((block) => [
    `[${topic === MANY_TOPICS ? `${block.answers.length} tools` : shortNames(block.answers)}]`,
    ...definitionLines(block),
  ]);
}

function definitionLines({ lines }: DefinitionBlock): string[] {
  return lines.map(
    ({ labels, definition, shownUnit }) =>
      `${labels.join(', ')}: ${definition.replaceAll('_count', '')}${shownUnit === null ? '' : ` [${shownUnit}]`}`,
  );
}
