import { CATALOGUE } from '../catalogue.ts';
import { campaignCategoriesResource } from './campaign-categories-resource.ts';
import { comparisonsResource } from './comparisons-resource.ts';
import { metricsResource } from './metrics/metrics-resource.ts';
import type { Resource } from './resource.ts';
import { rfmSegmentsResource } from './rfm-segments-resource.ts';
import { segmentConditionsResource } from './segment-conditions/segment-conditions-resource.ts';

/**
 * Every resource, in the order in which clients see them. The texts are made once, when the program starts.
 */
export const RESOURCES: readonly Resource[] = [
  metricsResource(CATALOGUE),
  comparisonsResource(CATALOGUE),
  campaignCategoriesResource(CATALOGUE),
  segmentConditionsResource(CATALOGUE),
  rfmSegmentsResource(CATALOGUE),
];
