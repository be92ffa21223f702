import type { Tool } from '../../answers/tool.ts';
import { type DefinitionBlock, definitionBlocks } from './definition-blocks.ts';
import { shortNames } from './short-names.ts';
import { MANY_TOPICS, TOPICS } from './topics.ts';

/** The numbers that a resource defines, by topic. */
export function definitionSections(tools: readonly Tool[], uri: string): Record<string, string> {
  const topics = [...definitionBlocks(tools)].filter(([topic]) => TOPICS[topic].uri === uri);
  return Object.fromEntries(
    topics.map(([topic, blocks]) => {
      const lines = blocks.flatMap((block) => [
        `[${topic === MANY_TOPICS ? `${block.answers.length} tools` : shortNames(block.answers)}]`,
        ...definitionLines(block),
      ]);
      const notation = uri === 'analytics://metrics' ? '' : ' Notation: analytics://metrics.';
      return [
        `Numbers: ${topic}`,
        [`Basis: ${TOPICS[topic].basis}.${notation}`, '```', ...lines, '```'].join('\n'),
      ];
    }),
  );
}

function definitionLines({ lines }: DefinitionBlock): string[] {
  return lines.map(
    ({ labels, definition, shownUnit }) =>
      `${labels.join(', ')}: ${definition.replaceAll('_count', '')}${shownUnit === null ? '' : ` [${shownUnit}]`}`,
  );
}
