// What answers do not tell: groups of one to four people, and what tells of them by subtraction.
const isFew = (people: number) => people >= 1 && people <= 4;

interface ListCounts {
  subscribed_at_start_count: number;
  subscribed_count: number;
  unsubscribed_count: number;
  subscribed_at_end_count: number;
  consented_count: number;
  reachable_count: number;
  suppressed_count: number;
  customers_count: number;
  sources: { source: string; subscribed_count: number }[];
  leave_reasons: { reason: string; unsubscribed_count: number }[];
}

/** @param churned members at the start that left */
export function listWithoutFew<Row extends ListCounts>(row: Row, churned: number): object {
  const start = row.subscribed_at_start_count;
  const { subscribed_count: joined, unsubscribed_count: left, subscribed_at_end_count: end } = row;
  if (isFew(start + joined)) {
    const isName = (key: string) => key === 'code' || key === 'name';
    const numbers = Object.entries(row).map(([key, value]) => [key, isName(key) ? value : null]);
    return { ...Object.fromEntries(numbers), sources: [], leave_reasons: [], is_hidden: true };
  }
  const flow = [
    'subscribed_at_start_count',
    'subscribed_count',
    'unsubscribed_count',
    'subscribed_at_end_count',
  ];
  const numberOf = (key: string) => row[key as 'subscribed_count'];
  const hidden = new Set(flow.filter((key) => isFew(numberOf(key))));
  if (hidden.size === 1) {
    const others = flow.filter((key) => !hidden.has(key) && numberOf(key) > 0);
    hidden.add(others.reduce((least, key) => (numberOf(key) < numberOf(least) ? key : least)));
  }
  const differ = (a: number, b: number) => hidden.has(flow[a] ?? '') !== hidden.has(flow[b] ?? '');
  if (differ(1, 2) || differ(0, 3)) hidden.add('net_growth');
  if (hidden.has('subscribed_at_start_count') || hidden.has('unsubscribed_count')) hidden.add('churn_rate');
  if (isFew(churned) || isFew(start - churned) || isFew(left - churned)) hidden.add('churn_rate');
  const { consented_count: consented, reachable_count: reachable, suppressed_count: suppressed } = row;
  const both = consented - reachable;
  const rests = [both, suppressed - both, end - consented - suppressed + both];
  if (rests.some(isFew)) hidden.add('reachable_count');
  for (const key of ['consented_count', 'reachable_count', 'suppressed_count', 'customers_count']) {
    if (isFew(numberOf(key)) || isFew(end - numberOf(key))) hidden.add(key);
  }
  let sources = hidden.has('subscribed_count')
    ? []
    : row.sources.filter((one) => !isFew(one.subscribed_count));
  const told = sources.reduce((sum, one) => sum + one.subscribed_count, 0);
  if (isFew(joined - told)) sources = sources.slice(0, -1);
  let reasons = hidden.has('unsubscribed_count')
    ? []
    : row.leave_reasons.filter((one) => !isFew(one.unsubscribed_count));
  const reasoned = reasons.reduce((sum, one) => sum + one.unsubscribed_count, 0);
  if (isFew(left - reasoned)) reasons = reasons.slice(0, -1);
  const isCut = sources.length < row.sources.length || reasons.length < row.leave_reasons.length;
  return {
    ...Object.fromEntries(Object.entries(row).map(([key, value]) => [key, hidden.has(key) ? null : value])),
    sources,
    leave_reasons: reasons,
    is_hidden: hidden.size > 0 || isCut,
  };
}

/**
 * The people of a campaign: those in its audience, those of them who got nothing, those held out; and what
 * came of holding out.
 */
export function audienceWithoutFew<Lift>(
  audience: number,
  skipped: number,
  control: number,
  lift: Lift | null,
): object {
  const isHidden = isFew(audience) || isFew(skipped) || isFew(audience - skipped);
  const isControlHidden =
    isFew(audience) || isFew(control) || isFew(skipped - control) || (isHidden && control > 0);
  const isLiftHidden = lift !== null && (isFew(control) || isFew(audience - skipped));
  return {
    audience_count: isHidden ? null : audience,
    skipped_count: isHidden ? null : skipped,
    control_group_count: isControlHidden ? null : control,
    lift: isLiftHidden ? null : lift,
    is_hidden: isHidden || isControlHidden || isLiftHidden,
  };
}
