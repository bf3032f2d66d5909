#!/usr/bin/env node
/**
 * Draws the icons of the installed page into src/web/public/icons/: the letter H, as two posts and the bar that holds them.
 * A PNG is little more than packed rows, so no library is needed.
 *   node scripts/icons.mjs
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'

const FOLDER = fileURLToPath(new URL('../src/web/public/icons/', import.meta.url))
const BACK = [0x44, 0x53, 0xc9]
const FRONT = [0xff, 0xff, 0xff]
const SAMPLES = 4 // per pixel and direction, for smooth edges

/** All lengths as shares of the side. Systems cut a maskable icon to a shape of their own: its picture is smaller, its ground whole. */
const ICONS = [
  { name: 'icon-192.png', side: 192, corner: 0.22, letter: 1 },
  { name: 'icon-512.png', side: 512, corner: 0.22, letter: 1 },
  { name: 'maskable-512.png', side: 512, corner: 0, letter: 0.8 },
  { name: 'apple-touch-icon.png', side: 180, corner: 0, letter: 0.9 },
]
const STROKES = [
  { from: [0.34, 0.25], to: [0.34, 0.75] },
  { from: [0.66, 0.25], to: [0.66, 0.75] },
  { from: [0.34, 0.5], to: [0.66, 0.5] },
]
const STROKE_WIDTH = 0.11

mkdirSync(FOLDER, { recursive: true })
for (const icon of ICONS) writeFileSync(`${FOLDER}${icon.name}`, png(icon.side, draw(icon)))

/** Rows of red, green, blue and opacity. */
function draw({ side, corner, letter }) {
  const pixels = Buffer.alloc(side * side * 4)
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) paint(pixels, (y * side + x) * 4, samplesAt({ x, y, side, corner, letter }))
  }
  return pixels
}

/** How much of a pixel is ground, and how much of that is the letter. */
function samplesAt({ x, y, side, corner, letter }) {
  let [ground, front] = [0, 0]
  for (let index = 0; index < SAMPLES * SAMPLES; index += 1) {
    const u = (x + ((index % SAMPLES) + 0.5) / SAMPLES) / side
    const v = (y + (Math.floor(index / SAMPLES) + 0.5) / SAMPLES) / side
    if (!isGround(u, v, corner)) continue
    ground += 1
    if (isLetter(0.5 + (u - 0.5) / letter, 0.5 + (v - 0.5) / letter)) front += 1
  }
  return { opacity: ground / SAMPLES ** 2, share: ground === 0 ? 0 : front / ground }
}

function paint(pixels, at, { opacity, share }) {
  for (const [channel, back] of BACK.entries()) pixels[at + channel] = Math.round(back + (FRONT[channel] - back) * share)
  pixels[at + 3] = Math.round(opacity * 255)
}

function isGround(u, v, corner) {
  const [across, down] = [Math.max(0, corner - Math.min(u, 1 - u)), Math.max(0, corner - Math.min(v, 1 - v))]
  return Math.hypot(across, down) <= corner
}

function isLetter(u, v) {
  return STROKES.some(({ from, to }) => distance([u, v], from, to) <= STROKE_WIDTH / 2)
}

/** From a point to a line with two ends. */
function distance([u, v], [fromU, fromV], [toU, toV]) {
  const [du, dv] = [toU - fromU, toV - fromV]
  const along = Math.min(1, Math.max(0, ((u - fromU) * du + (v - fromV) * dv) / (du * du + dv * dv)))
  return Math.hypot(u - fromU - along * du, v - fromV - along * dv)
}

function png(side, pixels) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 6, 0, 0, 0], 8) // eight bits per channel, four channels
  const rows = Array.from({ length: side }, (_, row) => [Buffer.from([0]), pixels.subarray(row * side * 4, (row + 1) * side * 4)]).flat()
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(kind, body) {
  const named = Buffer.concat([Buffer.from(kind), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
