import type { CohortSelection } from '../../../orders/queries/cohorts.ts';

/** How the worth of customers can be split, and the segmentation of first orders that does it. */
const SEGMENTATION = {
  none: 'none',
  cohort: 'none',
  first_product: 'first_product',
  first_category: 'first_category',
  first_brand: 'first_brand',
  first_coupon: 'first_coupon',
  country: 'country',
  first_click_channel: 'first_order_first_click_channel',
  last_click_channel: 'first_order_last_click_channel',
} as const satisfies Readonly<Record<string, CohortSelection['segmentation']>>;

export type ValueGroup = keyof typeof SEGMENTATION;

export const VALUE_GROUPS = Object.keys(SEGMENTATION) as [ValueGroup, ...ValueGroup[]];

/** The customers whose first order ever lies in these days, split so. */
export function valueSelection(
  by: ValueGroup,
  days: { readonly firstDate: string; readonly lastDate: string },
  limit: number,
  observedUntil: string | null,
): CohortSelection {
  return {
    periods: days,
    cohortPeriod: by === 'cohort' ? 'month' : 'all',
    segmentation: SEGMENTATION[by],
    segmentLimit: limit,
    observedUntil,
  };
}
