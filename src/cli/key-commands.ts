import type { Command } from 'commander';
import { rotateSigningKey } from '../control/tokens/signing-keys.ts';
import { command, withInstance } from './command.ts';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('The key that signs access tokens');
  command(key, 'rotate', 'Sign with a new key from now on; running servers follow at once')
    .option('--revoke-older', 'also void every token that older keys signed, as when one leaked')
    .action(
      withInstance<{ json?: true; revokeOlder?: true }>(async ({ instance, output }, options) => {
        const { key_id } = await rotateSigningKey(instance.control, instance.secret, {
          revokeOlder: options.revokeOlder === true,
        });
        output.result(
          { key_id },
          options.revokeOlder
            ? `Signing with ${key_id}. Apps renew their tokens by themselves; tokens of the command line must be made anew.`
            : `Signing with ${key_id}. Tokens signed before stay valid until they end.`,
        );
      }),
    );
}
