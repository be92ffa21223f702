import { setTimeout } from 'node:timers/promises';
import {
  type CallToolResult,
  completable,
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A red pixel, and a sound of no samples. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQAY3Y2wAAAAAElFTkSuQmCC';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;

/** What keywords a schema may have beyond those that our own tools use. */
const SCHEMA_OF_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** An MCP server of what the conformance suite asks for by name, to put where Storesight's own stands. */
export function createFixtureServer(): McpServer {
  const isStatic = { listChanged: false };
  const server = new McpServer(
    { name: 'conformance-fixtures', version: '1.0.0' },
    { capabilities: { tools: isStatic, resources: isStatic, prompts: isStatic } },
  );
  addTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer): void {
  const answers: Record<string, CallToolResult['content'][number][]> = {
    test_simple_text: [{ type: 'text', text: 'This is a simple text response for testing.' }],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
    test_embedded_resource: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
    test_multiple_content_types: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  };
  for (const [name, content] of Object.entries(answers)) {
    server.registerTool(name, { description: `Answers with ${name}` }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Always fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells how far it is' }, async (context) => {
    const { progressToken } = context.mcpReq._meta ?? {};
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 };
        await context.mcpReq.notify({ method: 'notifications/progress', params });
      }
      await setTimeout(20);
    }
    return { content: [{ type: 'text', text: 'done' }] };
  });
  const inputSchema = fromJsonSchema(SCHEMA_OF_2020);
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has keywords of JSON Schema 2020-12', inputSchema },
    () => ({ content: [] }),
  );
}

function addResources(server: McpServer): void {
  const text = { mimeType: 'text/plain', description: 'A text that never changes' };
  server.registerResource('static-text', 'test://static-text', text, ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  const binary = { mimeType: 'image/png', description: 'An image that never changes' };
  server.registerResource('static-binary', 'test://static-binary', binary, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const data = { mimeType: 'application/json', description: 'Data by its id' };
  server.registerResource('template', template, data, ({ href }, { id }) => ({
    contents: [
      {
        uri: href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      },
    ],
  }));
}

function addPrompts(server: McpServer): void {
  const user = (content: CallToolResult['content'][number]) => ({ role: 'user' as const, content });
  server.registerPrompt('test_simple_prompt', { description: 'Has no arguments' }, () => ({
    messages: [user({ type: 'text', text: 'This is a simple prompt for testing.' })],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Has two arguments',
      argsSchema: z.object({ arg1: completable(z.string(), () => ['test']), arg2: z.string() }),
    },
    ({ arg1, arg2 }) => ({
      messages: [user({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Has a resource in it', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        }),
        user({ type: 'text', text: 'Please process the embedded resource above.' }),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Has an image in it' }, () => ({
    messages: [user(image), user({ type: 'text', text: 'Please analyze the image above.' })],
  }));
}
