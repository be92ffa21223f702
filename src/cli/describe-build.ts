import type { ModelBuild } from '../snapshot/model-build.ts';

export function describeBuild({ kind, reason, affected_persons }: ModelBuild): string {
  return `${kind}${affected_persons === null ? '' : ` for ${affected_persons} persons`}: ${reason}`;
}
