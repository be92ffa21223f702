import { dayOf, momentOf, momentText } from '../calendar.ts';
import type { SegmentQuery, SegmentRow, TargetingBlock } from './rows.ts';

/** Ids of the saved segments that campaigns, other segments or truths name. */
export const savedSegments = {
  regulars: '5e0a7c1d9b3f4c2e8a6d1f0b7c9e2a41',
  lapsed: '9c41b2f07de84a5fb0c3e6d8127f5a90',
  /** A segment within a segment: the regulars, and more conditions. */
  sleepingRegulars: '1f6b8e3d2c7a45d09e8b4a6c3d5f7e12',
  /** Names an interest list that no longer exists. */
  broken: 'c7d2e5f81a9b4036a5c4d3e2f1b0a987',
} as const;
/** A list that was deleted when the lists were tidied up. */
export const deletedList = 'skalkari-2024';

export function makeSegments(): SegmentRow[] {
  const { regulars, lapsed, sleepingRegulars, broken } = savedSegments;
  return [
    segment(regulars, 'Stálí zákazníci', 'Tři a více objednávek za rok', '2024-11-04', [
      { type: 'order_count', operator: 'gte', value: 3, period: { last_days: 365 } },
    ]),
    segment(lapsed, 'Půl roku bez nákupu', 'Pro win-back', '2025-01-20', [
      { type: 'last_order_at', operator: 'in_period', period: { more_than_days_ago: 180 } },
    ]),
    segment(sleepingRegulars, 'Stálí, kteří usínají', 'Stálí zákazníci bez nákupu 60 dní', '2025-09-15', [
      { type: 'segment', operator: 'in', value: [regulars] },
      { type: 'last_order_at', operator: 'in_period', period: { more_than_days_ago: 60 } },
    ]),
    segment(broken, 'Skalkaři', 'Lezci ze starého seznamu', '2024-12-02', [
      { type: 'interest_list', operator: 'is_subscribed', value: [deletedList] },
      { type: 'bought', of: { category: ['Backpacks > Day'] } },
    ]),
    segment('2a9d7f4c6b1e4832b5d0c8e7f3a1b654', 'Kempaři', 'Koupili stan nebo spaní', '2025-03-03', [
      { type: 'bought', of: { category: ['Camping > Tents', 'Camping > Sleeping > Bags'] } },
    ]),
    segment('7b3e1c9a5d2f4608a4b6c8d0e2f41357', 'Champions a loyal', 'Podle výchozího RFM', '2025-06-16', [
      { type: 'rfm_segment', operator: 'is', value: { segments: ['champions', 'loyal'] } },
    ]),
    segment('d4c8b6a2f0e14937856c4b3a2d1e0f98', 'Slovensko', 'Dopravné v eurech', '2025-02-10', [
      { type: 'attribute', operator: 'eq', value: { name: 'country', value: 'SK' } },
    ]),
    segment('8e7f6a5b4c3d42e1b0a9f8e7d6c5b4a3', 'Klub', 'Se štítkem club', '2024-10-21', [
      { type: 'tag', operator: 'has', value: { name: 'club' } },
    ]),
    segment(
      '0f1e2d3c4b5a46978695a4b3c2d1e0f1',
      'Odejdou brzy (stará platforma)',
      'Převzato při stěhování',
      '2024-10-02',
      [{ type: 'predicted_churn', operator: 'gte', value: 0.8 }],
    ),
  ];
}

function segment(
  segment_id: string,
  name: string,
  description: string,
  date: string,
  targetingBlocks: TargetingBlock[],
): SegmentRow {
  const created_at = momentText(momentOf(dayOf(date), 11 * 3_600));
  const segment_query: SegmentQuery = { segments: [{ targetingBlocks }] };
  return { segment_id, name, description, segment_query, created_at, updated_at: created_at };
}
