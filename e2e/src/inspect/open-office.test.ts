import { describe, expect, it } from 'vitest'
import { withoutNumbers } from './open-office.ts'
import { stripMarks } from './open-text.ts'

const wordsOf = (xml: string) => stripMarks(withoutNumbers(xml)).trim()

describe('the words of a document', () => {
  it('are not where its text boxes stand, nor what is in them once more', () => {
    const box = '<wp:posOffset>127000</wp:posOffset><w:t>a</w:t><mc:Fallback><w:t>a</w:t></mc:Fallback>'
    expect(wordsOf(box)).toBe('a')
  })

  it('are not the numbers of texts in a list', () => {
    const cells = '<c r="A1" t="s"><v>12</v></c><c r="B1" s="3"><v>34</v></c><c r="C1" s="1" t="s"><v>56</v></c>'
    expect(wordsOf(cells)).toBe('34')
  })

  it('do not end where the font changes', () => {
    const text = '<si><r><t>La</t></r><r><rPr><b val="true"/></rPr><t xml:space="preserve">the</t></r></si>'
    expect(wordsOf(text)).toBe('Lathe')
  })
})
