import { boardReport } from './board-report.ts';
import { campaignContentReview } from './campaign-content-review.ts';
import { emailDiagnosis } from './email-diagnosis.ts';
import { monthInProfit } from './month-in-profit.ts';
import { periodReview } from './period-review.ts';
import type { Prompt } from './prompt.ts';
import { retentionReview } from './retention-review.ts';
import { rfmReview } from './rfm-review.ts';
import { segmentationReview } from './segmentation-review.ts';
import { smsDiagnosis } from './sms-diagnosis.ts';
import { trafficReview } from './traffic-review.ts';
import { weeklyWatch } from './weekly-watch.ts';
import { why } from './why.ts';

/** The prompts of the contract, in the order in which clients see them. */
export const PROMPTS: readonly Prompt[] = [
  periodReview,
  emailDiagnosis,
  campaignContentReview,
  segmentationReview,
  smsDiagnosis,
  retentionReview,
  rfmReview,
  trafficReview,
];

/**
 * The prompts of extensions, which stand behind the others. A connection without the extension does not have
 * them.
 */
export const EXTENSION_PROMPTS: readonly Prompt[] = [why, boardReport, monthInProfit, weeklyWatch];
