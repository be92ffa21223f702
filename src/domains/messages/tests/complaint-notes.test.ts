import { expect, it } from 'vitest';
import { complaintNotes } from '../queries/complaints.ts';

const END =
  ' of no known message. complained_count of subscriber_statistics counts these, spam_complaints_count of email_channel_statistics does not.';

it.each([
  [4, 1, 'Fewer than 5 subscribers complained in the range, and at least one of them'],
  [12, 2, '12 subscribers complained in the range, fewer than 5 of them'],
  [12, 7, '12 subscribers complained in the range, 7 of them'],
])(
  '%i complaints, %i without a message, are told without a count of few',
  (complaints_count, without_message_count, said) =>
    expect(complaintNotes([{ complaints_count, without_message_count }])).toEqual([said + END]),
);

it('nothing is said where each complaint names its message', () =>
  expect(complaintNotes([{ complaints_count: 9, without_message_count: 0 }])).toEqual([]));
