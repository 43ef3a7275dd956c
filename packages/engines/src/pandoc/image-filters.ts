const report = String.raw`local found = {}

function Pandoc()
  local words = {}
  for word in pairs(found) do table.insert(words, '"' .. word .. '"') end
  if #words > 0 then io.write('{"warnings": [' .. table.concat(words, ', ') .. ']}\n') end
end
`

/** `images.lua` for formats that embed images: an image that is not in the source is replaced by its description. */
export const insideImages = `${report}
local function is_inside(image)
  return image.src:match('^data:image/') ~= nil or pandoc.mediabag.lookup(image.src) ~= nil
end

-- An image that is not in the text becomes its description, which its caption would only repeat.
function Figure(figure)
  local hasImage = false
  figure:walk({ Image = function(image) hasImage = hasImage or is_inside(image) end })
  if hasImage then return nil end
  return figure.content:map(function(block) return block.t == 'Plain' and pandoc.Para(block.content) or block end)
end

function Image(image)
  if is_inside(image) then return nil end
  found[image.src:match('^https?://') and 'remote' or 'missing'] = true
  local text = #image.caption > 0 and image.caption or pandoc.Inlines({ pandoc.Str('[image]') })
  if image.src:match('^https?://') then return pandoc.Link(text, image.src) end
  return text
end

return { { Figure = Figure }, { Image = Image }, { Pandoc = Pandoc } }
`

/** `images.lua` for formats that only name images: an image that is in the source is replaced by its description. */
export const namedImages = `${report}
function Image(image)
  if not image.src:match('^data:') and pandoc.mediabag.lookup(image.src) == nil then return nil end
  found.held = true
  return #image.caption > 0 and image.caption or pandoc.Inlines({ pandoc.Str('[image]') })
end

return { { Image = Image }, { Pandoc = Pandoc } }
`

/** `images.lua` for formats in which a data URL can hold the image. */
export const dataImages = `local digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

local function base64(bytes)
  local parts = {}
  for at = 1, #bytes, 3 do
    local a, b, c = bytes:byte(at, at + 2)
    local number = a * 65536 + (b or 0) * 256 + (c or 0)
    local four = {}
    for n, shift in ipairs({ 18, 12, 6, 0 }) do
      local digit = (number >> shift) & 63
      four[n] = digits:sub(digit + 1, digit + 1)
    end
    if c == nil then four[4] = '=' end
    if b == nil then four[3] = '=' end
    parts[#parts + 1] = table.concat(four)
  end
  return table.concat(parts)
end

function Image(image)
  local kind, bytes = pandoc.mediabag.lookup(image.src)
  if bytes == nil or not kind:match('^image/') then return nil end
  image.src = 'data:' .. kind .. ';base64,' .. base64(bytes)
  return image
end
`
