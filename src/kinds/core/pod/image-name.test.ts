import { expect, it } from 'vitest';
import { defaultPullPolicy } from './image-name.ts';

const digest = `sha256:${'0'.repeat(64)}`;

it.each([
  ['busybox', 'Always'],
  ['busybox:latest', 'Always'],
  ['registry.example.com:5000/team/app', 'Always'],
  [`busybox:latest@${digest}`, 'Always'],
  ['busybox:1.36', 'IfNotPresent'],
  ['registry.example.com:5000/team/app:v1', 'IfNotPresent'],
  [`busybox@${digest}`, 'IfNotPresent'],
  ['not an image', 'IfNotPresent'],
  ['UpperCase', 'IfNotPresent'],
  ['', 'IfNotPresent'],
])('%j is pulled %s', (image, policy) => {
  expect(defaultPullPolicy(image)).toBe(policy);
});
