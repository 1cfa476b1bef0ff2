import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isCommonPassword } from './common-passwords.ts'
import { passwordProblem } from './password.rules.ts'

const owner = { email: 'ana.lopez@example.com', isCommon: isCommonPassword }

test('a password needs no particular kind of character', () => {
  const accepted = [
    'correct-horse-battery',
    'S3cure-pass!',
    'SecurePass123!',
    'Str0ng!Passw0rd',
    'four plain words here',
    'h\u00E9lice d\u00E9j\u00E0 vu',
    '\u5BC6\u7801\u5F88\u957F\u5F88\u957F\u597D\u7684',
    '\u{1F98A}\u{1F427}\u{1F98B}\u{1F41D}\u{1F984}\u{1F419}\u{1F996}\u{1F433}',
    'abcdefgx',
    '12345678x',
  ]
  for (const password of accepted) assert.equal(passwordProblem(password, owner), null, password)
})

test('length is counted in characters after composition: 8 to 128', () => {
  const words = 'pl4tform ünïcøde wörds '.repeat(8)
  assert.match(passwordProblem('s3cure!', owner) ?? '', /at least 8/)
  assert.equal(passwordProblem('s3cure!x', owner), null)
  assert.equal(passwordProblem(words.slice(0, 128).normalize('NFD'), owner), null)
  assert.match(passwordProblem(words.slice(0, 129), owner) ?? '', /at most 128/)
  assert.match(passwordProblem('e\u0301'.repeat(4), owner) ?? '', /at least 8/)
  assert.match(passwordProblem('\u{1F98A}'.repeat(7), owner) ?? '', /at least 8/)
})

test('a common password is refused in any case', () => {
  for (const password of [
    'password',
    'password123',
    'PassWord123',
    'qwertyuiop',
    '1q2w3e4r',
    'Passw0rd',
    'iloveyou',
    'trustno1',
  ]) {
    assert.match(passwordProblem(password, owner) ?? '', /too common/, password)
  }
})

test('one repeated or sequential character is refused', () => {
  const runs = [
    'aaaaaaaa',
    '        ',
    'AaAaAaAa',
    '12345678',
    '1234567890',
    '9876543210',
    '0987654321',
    '890123456789',
    'abcdefgh',
    'HgFeDcBa',
  ]
  for (const password of runs) assert.match(passwordProblem(password, owner) ?? '', /a sequence/, password)
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.integer({ min: 8, max: 128 }),
      (unit, times) => {
        assert.notEqual(passwordProblem([...unit.normalize('NFC')].slice(0, 1).join('').repeat(times), owner), null)
      },
    ),
  )
})

test('a password is rejected if it contains the e-mail name and little else', () => {
  const cases = [
    ['ana.lopez', owner.email, true],
    ['Ana.Lopez2026', owner.email, true],
    ['xx-ANA.LOPEZ-xx', owner.email, true],
    ['ana.lopez@example.com', owner.email, true],
    ['lopez-from-spain', owner.email, false],
    // Three letters occur in many good passwords by chance.
    ['banana-split-boat', 'ana@example.com', false],
    ['ana@example.com', 'ana@example.com', true],
    ['ana.lopez-correct-horse', owner.email, false],
    ['jos\u0065\u0301-2026', 'jos\u00E9@example.com', true],
  ] as const
  for (const [password, email, refused] of cases) {
    assert.equal(
      /e-mail name/.test(passwordProblem(password, { email, isCommon: isCommonPassword }) ?? ''),
      refused,
      password,
    )
  }
})

test('a password gets the same result however its accents were typed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (password) => {
      assert.equal(passwordProblem(password.normalize('NFD'), owner), passwordProblem(password.normalize('NFC'), owner))
    }),
  )
})
