import type { DataFolder } from '../control/data-folder/data-folder.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import type { ImportLimits } from './import-limits.ts';
import type { WarehouseCopier } from './warehouse-copier.ts';

/** It is called with what is being done now, and with the share of the work, 0 to 1, that lies behind. */
export type OnStep = (step: string, doneShare: number) => void;

/** The phases of an import begin at about these shares of its time. */
export const PROGRESS = { merging: 0.55, building: 0.65, checking: 0.95, publishing: 0.97 };

/** Where an import works, and what it may take there. */
export interface ImportContext {
  readonly control: ControlDatabase;
  readonly data: DataFolder;
  readonly secret: Buffer;
  readonly onStep?: OnStep;
  /** It is null where queries run on the files of this data folder. */
  readonly copier: WarehouseCopier | null;
  /** How much may be written to disk of what does not fit into memory, for example `10GB`. */
  readonly spillLimit: string;
  /** Stops the work; nothing has changed then. */
  readonly signal?: AbortSignal;
  /** How much memory an import may take, for example `4GB`; it spills what needs more. */
  readonly importMemory: string;
  /** The number of processors that an import uses at once. Without it, all of them. */
  readonly importThreads?: number;
  /** What an import of files may take. */
  readonly importLimits?: ImportLimits;
}
