/* test-demangle.c: names as they stood in the source, and names that are made to do harm
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-demangle.h"

static void
assert_shown (const char *name, const char *expected)
{
  g_autofree char *shown = pen_demangle (name);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_cxx (void)
{
  assert_shown ("main", NULL);
  assert_shown ("", NULL);
  assert_shown ("_Z", NULL);
  assert_shown ("_ZN3pen5shownEi", "pen::shown");
  assert_shown ("_ZN3pen5shownEi.cold", "pen::shown");
  assert_shown ("_ZN3pen5shownEi@plt", "pen::shown@plt");
  assert_shown ("_ZNSt5ctypeIcE2idE@GLIBCXX_3.4", "std::ctype<char>::id@GLIBCXX_3.4");
}

static void
test_rust_legacy (void)
{
  assert_shown ("_ZN4core3ptr13drop_in_place17h0123456789abcdefE", "core::ptr::drop_in_place");
  assert_shown ("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17"
                "h930b740aa94f1d3aE",
                "<Test + 'static as foo::Bar<Test>>::bar");
}

/* The examples of RFC 2603, and what compilers made. */
static void
test_rust_v0 (void)
{
  assert_shown ("_RNvC6_123foo3bar", "123foo::bar");
  assert_shown ("_RNvCs1234_7mycrate3foo", "mycrate::foo");
  assert_shown ("_RNvNtCs1234_7mycrate3foo3bar.llvm.9D1C9369", "mycrate::foo::bar");
  assert_shown ("_RNCC4main0", "main::{closure#0}");
  assert_shown ("_RNvMs_Cs4Cv8Wi1oAIB_7mycrateNtB4_7Example3foo", "<mycrate::Example>::foo");
  assert_shown ("_RNvXCs_7mycrateNtB2_3FooNtB2_3Bar3baz", "<mycrate::Foo as mycrate::Bar>::baz");
  assert_shown ("_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>");
  assert_shown ("_RINvC1a1fTRmQSlE_E", NULL);
  assert_shown ("_RINvC1a1fTRmQSlEE", "a::f::<(&u32, &mut [i32])>");
  assert_shown ("_RINvC1a1fThEAyj10_FUKCxEuE",
                "a::f::<(u8,), [u64; 16], unsafe extern \"C\" fn(i64)>");
  assert_shown ("_RINvC1a1fDNtC1b5TraitEL_E", "a::f::<dyn b::Trait>");
  assert_shown ("_RINvC1a1fDG_INtC1b2FnRL0_hEp6OutputuEL_E",
                "a::f::<dyn for<'a> b::Fn<&'a u8, Output = ()>>");
  assert_shown ("_RINvC1a1fKb1_Kc41_Kin5_Kj123456789abcdef_E",
                "a::f::<true, 'A', -5, 81985529216486895>");
  assert_shown ("_RNvC1au8gdel_5qa", "a::gödel");
  /* "FGraphs_" might be a binder of that many lifetimes. */
  assert_shown ("_RNvNtC1a11PDFGraphs_83DGx", "a::PDFGraphs_8::DGx");
  assert_shown ("_RNvC1a3foo_", NULL);
  assert_shown ("_RNvC1a4foo", NULL);
  assert_shown ("_RB_", NULL);
}

/* Each argument of the template is made of the one before it, twice. */
static char *
double_cxx (guint times)
{
  GString *name = g_string_new ("_Z1fI1A1TIS0_S0_E");

  for (guint i = 1; i < times; i++) {
    const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    g_string_append_printf (name, "S1_IS%c_S%c_E", digits[i + 1], digits[i + 1]);
  }
  g_string_append (name, "Evv");
  return g_string_free (name, FALSE);
}

static char *
double_rust (guint times)
{
  GString *name = g_string_new ("_RINvC1a1bTmmE");
  gsize before = name->len - 4 - 2;

  for (guint i = 0; i < times; i++) {
    const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    gsize here = name->len - 2;
    gsize number = before - 1;
    char place[4] = { 0 };

    if (number >= 62)
      g_snprintf (place, sizeof place, "%c%c", digits[number / 62], digits[number % 62]);
    else
      place[0] = digits[number];
    g_string_append_printf (name, "TB%s_B%s_E", place, place);
    before = here;
  }
  g_string_append_c (name, 'E');
  return g_string_free (name, FALSE);
}

static void
test_growth (void)
{
  g_autofree char *small = double_cxx (3);
  g_autofree char *large = double_cxx (33);
  g_autofree char *small_rust = double_rust (2);
  g_autofree char *large_rust = double_rust (100);
  g_autofree char *shown = pen_demangle (small);

  g_assert_cmpstr (shown, ==,
                   "f<A, T<A, A>, T<T<A, A>, T<A, A> >, T<T<T<A, A>, T<A, A> >, T<T<A, A>, T<A, "
                   "A> > > >");
  assert_shown (large, NULL);
  assert_shown (small_rust,
                "a::b::<(u32, u32), ((u32, u32), (u32, u32)), (((u32, u32), (u32, u32)), "
                "((u32, u32), (u32, u32)))>");
  assert_shown (large_rust, NULL);
}

static void
test_depth (void)
{
  g_autofree char *pointers = g_strnfill (2000, 'P');
  g_autofree char *cxx = g_strconcat ("_Z1f", pointers, "i", NULL);
  g_autofree char *rust = g_strconcat ("_RINvC1a1f", pointers, "uE", NULL);
  g_autofree char *endless = g_strnfill (100000, 'P');
  g_autofree char *too_long = g_strconcat ("_Z1f", endless, "i", NULL);

  g_free (pen_demangle (cxx));
  assert_shown (rust, NULL);
  assert_shown (too_long, NULL);
  /* More lifetimes than there is time to count. */
  assert_shown ("_RINvXC1aFGzzzzzzzzzz_EuC1b1fE", NULL);
  assert_shown ("_RINvC1a1fFGzzzzzzzzz_EuE", NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/demangle/cxx", test_cxx);
  g_test_add_func ("/demangle/rust-legacy", test_rust_legacy);
  g_test_add_func ("/demangle/rust-v0", test_rust_v0);
  g_test_add_func ("/demangle/growth", test_growth);
  g_test_add_func ("/demangle/depth", test_depth);
  return g_test_run ();
}
