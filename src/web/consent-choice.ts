import { assignedBusinesses } from '../control/businesses/businesses.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { assignmentsOf } from '../control/people/accounts.ts';
import type { Form } from './page-context.ts';
import type { BusinessView, ChosenBusinesses } from './pages/views.ts';

/** The businesses that an account can choose from, with what it may read of each. */
export async function readableBusinesses(
  control: ControlDatabase,
  accountId: string,
): Promise<BusinessView[]> {
  const [businesses, assignments] = await Promise.all([
    assignedBusinesses(control, accountId),
    assignmentsOf(control, accountId),
  ]);
  const permissions = new Map(assignments.map((assigned) => [assigned.business_id, assigned.permissions]));
  return businesses.map(({ business_id, name, link }) => ({
    business_id,
    name,
    link,
    permissions: permissions.get(business_id) ?? [],
  }));
}

/** The choice that a form makes among these businesses; null if the choice is impossible. */
export function readChoice(form: Form, businesses: readonly BusinessView[]): ChosenBusinesses {
  if (form.text('businesses') === 'all') return 'all';
  if (form.text('businesses') !== 'chosen') return null;
  const asked = form.all('business_id');
  const chosen = businesses.map(({ business_id }) => business_id).filter((id) => asked.includes(id));
  return chosen.length === 0 ? null : chosen;
}

/** The choice as a grant stores it. */
export function allowlistOf(choice: NonNullable<ChosenBusinesses>): readonly string[] | null {
  return choice === 'all' ? null : choice;
}
