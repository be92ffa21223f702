import type { ModelBuild } from '../snapshot/model-build.ts';
import { plural } from '../text/plural.ts';

export function describeBuild({ kind, reason, affected_persons }: ModelBuild): string {
  return `${kind}${affected_persons === null ? '' : ` for ${plural(affected_persons, 'person', 'persons')}`}: ${reason}`;
}
